import type { HttpRequest } from '@azure/functions';
import { Problem } from '../../contract/problem.ts';

/**
 * The whole body, which the host has already buffered.
 *
 * @param limit in bytes; compared with the declared length before the body is read.
 * @throws {Problem} `length_required` for a chunked body, which the host does not pass on; `payload_too_large`;
 *   `unsupported_media_type` for a compressed one.
 */
export async function readBody(request: HttpRequest, limit: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length');
  if (request.headers.get('transfer-encoding') !== null || announced === null) {
    throw new Problem('length_required', {
      detail:
        'Send the body in one piece with a Content-Length header; chunked transfer encoding is not accepted.',
    });
  }
  if (Number(announced) > limit) throw tooLarge(limit);
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new Problem('unsupported_media_type', { detail: 'Send the body without Content-Encoding.' });
  }
  const bytes = await wholeBody(request);
  if (bytes.byteLength > limit) throw tooLarge(limit);
  return bytes;
}

/** The buffered body is a stream of one chunk; `arrayBuffer` would copy it. */
async function wholeBody({ body }: HttpRequest): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

export function tooLarge(limit: number): Problem {
  return new Problem('payload_too_large', { detail: `The body may have at most ${limit} bytes.` });
}

/** Of an accepted type with its boundary and charset; a parser of a longer one could take long. */
const longestContentType = 1024;

/**
 * The declared media type of a body without its parameters; it must be one of `accepted`, and a charset must be UTF-8.
 * @throws {Problem} `unsupported_media_type`
 */
export function requireContentType(request: HttpRequest, accepted: readonly string[]): string {
  const header = request.headers.get('content-type') ?? '';
  const [declared = '', ...parameters] = header.length > longestContentType ? [] : header.split(';');
  const charset = parameters.map(charsetIn).find((value) => value !== undefined);
  const wrongCharset = charset !== undefined && !/^utf-?8$/i.test(charset);
  const type = declared.trim().toLowerCase();
  if (!accepted.includes(type) || wrongCharset) {
    throw new Problem('unsupported_media_type', {
      detail: `Send the body as ${accepted.join(' or ')}${wrongCharset ? ' in UTF-8' : ''}.`,
    });
  }
  return type;
}

/** The value of the parameter `charset`; undefined for another one. Not by one pattern: blanks would fit it in many ways. */
function charsetIn(parameter: string): string | undefined {
  const [name = '', ...value] = parameter.split('=');
  if (name.trim().toLowerCase() !== 'charset') return undefined;
  return value.join('=').trim().replace(/^"/, '').replace(/"$/, '');
}
