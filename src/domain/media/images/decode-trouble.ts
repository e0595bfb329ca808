import type { DecodeResult, ThumbnailResult } from '../../../lib/image/decode.ts';
import { Problem } from '../../../contract/problem.ts';

/** Trouble of the decoder that is no fault of the picture: the same picture may be sent again. */
export function decodeTrouble(trouble: Extract<DecodeResult | ThumbnailResult, { ok: false }>): Problem {
  const { reason, detail } = trouble;
  if (reason === 'caller_limit') {
    return new Problem('rate_limited', { detail, headers: { 'retry-after': '1' } });
  }
  const cause = 'cause' in trouble ? trouble.cause : undefined;
  return new Problem('busy', { detail, headers: { 'retry-after': '5' }, cause });
}
