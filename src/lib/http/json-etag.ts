import { createHash } from 'node:crypto';
import { matchesEtag } from './byte-range.ts';
import type { RawReply } from './raw-reply.ts';

/** JSON with the hash of its text as entity tag; 304 when `If-None-Match` names it. */
export function jsonWithEtag(
  request: { ifNoneMatch: string | undefined },
  value: unknown,
  ownHeaders: Record<string, string>,
): RawReply {
  return textWithEtag(request, JSON.stringify(value), { 'content-type': 'application/json', ...ownHeaders });
}

/** As {@link jsonWithEtag}, for any text. */
export function textWithEtag(
  request: { ifNoneMatch: string | undefined },
  text: string,
  ownHeaders: Record<string, string>,
): RawReply {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  const headers = { ...ownHeaders, etag };
  return matchesEtag(request.ifNoneMatch, etag)
    ? { status: 304, body: '', headers }
    : { body: text, headers };
}
