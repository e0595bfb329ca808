import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Encoding, preferredEncoding } from './accept-encoding.ts';
import { matchesEtag } from './byte-range.ts';
import type { RawReply } from './raw-reply.ts';

/** Below this size a compressed file saves no packet. */
const worthCompressingBytes = 1024;

/** A file that is the same for every caller until the next deployment. */
export interface StaticFile {
  /** The bytes, compressed if the client accepts that, or 304 without them. */
  reply(
    request: { ifNoneMatch: string | undefined; acceptEncoding: string | undefined },
    contentType: string,
  ): Promise<RawReply>;
}

/** A static file that is compressed once per encoding, on first use, in a thread of libuv's pool. */
export function createStaticFile(bytes: Uint8Array): StaticFile {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const compressed = new Map<Encoding, Promise<Uint8Array>>();

  function bodyIn(encoding: Encoding): Promise<Uint8Array> {
    const known = compressed.get(encoding);
    if (known !== undefined) return known;
    const made = compress[encoding](bytes);
    compressed.set(encoding, made);
    made.catch(() => compressed.delete(encoding));
    return made;
  }

  return {
    async reply({ ifNoneMatch, acceptEncoding }, contentType) {
      const isSmall = bytes.byteLength < worthCompressingBytes;
      const encoding = isSmall ? 'identity' : preferredEncoding(acceptEncoding);
      // Another encoding is another representation with a tag of its own (RFC 9110 §8.8.3.3).
      const etag = encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`;
      const headers = {
        'content-type': contentType,
        // The names carry no version, so a cache must revalidate: a deployment can change the file.
        'cache-control': 'public, no-cache',
        vary: 'Origin, Accept-Encoding',
        etag,
      };
      if (matchesEtag(ifNoneMatch, etag)) return { status: 304, body: '', headers };
      const body = await bodyIn(encoding);
      return {
        body,
        headers: encoding === 'identity' ? headers : { ...headers, 'content-encoding': encoding },
      };
    },
  };
}

const compress: Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  identity: async (bytes) => bytes,
  gzip: (bytes) => promisify(gzip)(bytes),
  // The highest quality takes seconds per megabyte and saves only a tenth.
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
};
