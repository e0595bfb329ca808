import type { ImageDecoder } from '../../lib/image/decode.ts';
import type { ImageFacts } from '../../lib/image/facts.ts';
import { inspectImage } from '../../lib/image/inspect.ts';
import { Problem } from '../../lib/problem.ts';
import { imageLimits } from './image-limits.ts';

export interface AcceptedImage {
  /** The picture itself, without whatever followed its end; a view of the upload. */
  bytes: Uint8Array;
  facts: ImageFacts;
}

/**
 * Takes an upload for what its bytes are: a JPEG or PNG whose pixels really decode.
 * @param pointer names the part in the refusal, such as `/image`.
 * @throws {Problem} `invalid_image`; `payload_too_large` for too many pixels; `busy` when the decoder is.
 */
export async function acceptImage(
  upload: Uint8Array,
  decoder: ImageDecoder,
  pointer: string,
): Promise<AcceptedImage> {
  const facts = inspectImage(upload);
  if (!facts.ok) throw invalidImage(pointer, facts.reason, facts.detail);
  if (facts.widthPx * facts.heightPx > imageLimits.maxPixels) {
    throw new Problem('payload_too_large', {
      detail: `An image may have at most ${imageLimits.maxPixels / 1_000_000} megapixels.`,
    });
  }
  const bytes = upload.subarray(0, facts.endOffset);
  const decoded = await decoder.check(bytes, facts);
  if (decoded.ok) return { bytes, facts };
  if (decoded.reason === 'undecodable') throw invalidImage(pointer, decoded.reason, decoded.detail);
  const cause = 'cause' in decoded ? decoded.cause : undefined;
  throw new Problem('busy', { detail: decoded.detail, headers: { 'retry-after': '5' }, cause });
}

function invalidImage(pointer: string, code: string, detail: string): Problem {
  return new Problem('invalid_image', { detail, errors: [{ pointer, code, message: detail }] });
}
