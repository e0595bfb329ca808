import type { HttpFacts } from './endpoint.ts';
import type { RawReply } from './raw-reply.ts';
import { matchesEtag, requestedRange } from './byte-range.ts';

/** A representation whose bytes are read only when they are sent. */
export interface Representation {
  /** Changes with the bytes; becomes the entity tag. */
  version: string;
  contentType: string;
  /** Undefined where only the whole can be read. */
  sizeBytes: number | undefined;
  read(range?: { offset: number; count: number }): Promise<Uint8Array>;
}

/**
 * Answers `If-None-Match` with 304, and one `Range` with 206 (RFC 9110); otherwise the whole.
 * @throws {Problem} `range_not_satisfiable`
 */
export async function conditionalReply(
  request: Pick<HttpFacts, 'ifNoneMatch' | 'ifRange' | 'range'>,
  { version, contentType, sizeBytes, read }: Representation,
  ownHeaders: Record<string, string>,
): Promise<RawReply> {
  const etag = `"${version}"`;
  const headers = {
    etag,
    'accept-ranges': sizeBytes === undefined ? 'none' : 'bytes',
    'content-type': contentType,
    ...ownHeaders,
  };
  if (matchesEtag(request.ifNoneMatch, etag)) return { status: 304, body: '', headers };
  const isFresh = request.ifRange === undefined || request.ifRange === etag;
  const range = isFresh && sizeBytes !== undefined ? requestedRange(request.range, sizeBytes) : undefined;
  const body = await read(range);
  if (range === undefined) return { body, headers };
  const last = range.offset + range.count - 1;
  const contentRange = `bytes ${range.offset}-${last}/${sizeBytes}`;
  return { status: 206, body, headers: { ...headers, 'content-range': contentRange } };
}
