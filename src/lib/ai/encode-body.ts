import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

/** A JSON value, or an image that travels as the multipart part `image`. */
export type AiBody = { json: unknown } | { image: Uint8Array; contentType: 'image/jpeg' | 'image/png' };

export interface EncodedBody {
  contentType: string;
  /** In bytes. */
  length: number;
  /** For one attempt: a stream can be sent once. */
  content(): Buffer | Readable;
}

/** The image is sent from where it lies: only the few bytes around it are new. */
export function encodeBody(body: AiBody): EncodedBody {
  if ('json' in body) {
    const bytes = Buffer.from(JSON.stringify(body.json));
    return { contentType: 'application/json', length: bytes.byteLength, content: () => bytes };
  }
  const boundary = `dermagate-${randomBytes(18).toString('hex')}`;
  const extension = body.contentType === 'image/png' ? 'png' : 'jpg';
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="image.${extension}"\r\n` +
      `content-type: ${body.contentType}\r\n\r\n`,
  );
  const image = Buffer.from(body.image.buffer, body.image.byteOffset, body.image.byteLength);
  const pieces = [head, image, Buffer.from(`\r\n--${boundary}--\r\n`)];
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: pieces.reduce((sum, piece) => sum + piece.byteLength, 0),
    content: () => Readable.from(pieces),
  };
}
