import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

/** A JSON value, or an image that travels as the multipart part `image`. */
export type AiBody = { json: unknown } | { image: Uint8Array; contentType: 'image/jpeg' | 'image/png' };

export interface EncodedBody {
  contentType: string;
  /** In bytes. */
  length: number;
  /** A fresh stream for each attempt. */
  stream(): Readable;
}

/** The image is sent from where it lies: only the few bytes around it are new. */
export function encodeBody(body: AiBody): EncodedBody {
  if ('json' in body) return encoded('application/json', [Buffer.from(JSON.stringify(body.json))]);
  const boundary = `dermagate-${randomBytes(18).toString('hex')}`;
  const extension = body.contentType === 'image/png' ? 'png' : 'jpg';
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="image.${extension}"\r\n` +
      `content-type: ${body.contentType}\r\n\r\n`,
  );
  const image = Buffer.from(body.image.buffer, body.image.byteOffset, body.image.byteLength);
  return encoded(`multipart/form-data; boundary=${boundary}`, [
    head,
    image,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

function encoded(contentType: string, pieces: readonly Buffer[]): EncodedBody {
  return {
    contentType,
    length: pieces.reduce((sum, piece) => sum + piece.byteLength, 0),
    stream: () => Readable.from(pieces),
  };
}
