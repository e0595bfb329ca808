import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

/** A JSON value, which must not change any more, or an image that is sent as the multipart part `image`, possibly in several pieces. */
export type AiBody =
  | { json: unknown }
  | { image: Uint8Array | readonly Uint8Array[]; contentType: 'image/jpeg' | 'image/png' };

export interface EncodedBody {
  contentType: string;
  /** In bytes. */
  length: number;
  /** A new body for each attempt: a stream can be sent only once. */
  content(): Buffer | Readable;
}

/** Encodes a body without copying the image: only the few bytes around it are allocated. */
export function encodeBody(body: AiBody): EncodedBody {
  if ('json' in body) {
    const bytes = jsonBytes(body);
    return { contentType: 'application/json', length: bytes.byteLength, content: () => bytes };
  }
  const boundary = `dermagate-${randomBytes(18).toString('hex')}`;
  const extension = body.contentType === 'image/png' ? 'png' : 'jpg';
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="image.${extension}"\r\n` +
      `content-type: ${body.contentType}\r\n\r\n`,
  );
  const image = imagePieces(body).map((piece) =>
    Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength),
  );
  const pieces = [head, ...image, Buffer.from(`\r\n--${boundary}--\r\n`)];
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: pieces.reduce((sum, piece) => sum + piece.byteLength, 0),
    content: () => Readable.from(pieces),
  };
}

const encoded = new WeakMap<object, Buffer>();

/** A JSON body as it is sent; encoded once, because it is hashed and several routes may be asked about it. */
export function jsonBytes(body: Extract<AiBody, { json: unknown }>): Buffer {
  let bytes = encoded.get(body);
  if (bytes === undefined) {
    bytes = Buffer.from(JSON.stringify(body.json));
    encoded.set(body, bytes);
  }
  return bytes;
}

/** The image of a body, piece by piece. */
export function imagePieces({ image }: Extract<AiBody, { contentType: string }>): readonly Uint8Array[] {
  return image instanceof Uint8Array ? [image] : image;
}
