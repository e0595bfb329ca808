import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { ImageKind } from '../../../../src/domain/intake/anamnesis/vocabulary/images.ts';
import { mediaType, readBody, readJsonObject } from './body.ts';
import { Refusal } from './refusal.ts';

export const MAX_IMAGE_BYTES = 15 * 1024 * 1024;
/** Room for boundaries, part headers and the `kind` field. */
const multipartSlack = 64 * 1024;

export interface SentImage {
  bytes: Buffer;
  /** `ImageKind`; a dermoscopic picture is not expected to look like skin. */
  kind?: string;
}

/** The image of a request: the multipart part `image`, or JSON with base64 in `imageData`. */
export async function readImage(request: IncomingMessage, signal: AbortSignal): Promise<SentImage> {
  const type = mediaType(request);
  if (type !== 'multipart/form-data' && type !== 'application/json') {
    throw new Refusal(
      415,
      'unsupported_media_type',
      'Send the image as multipart/form-data, or as application/json.',
    );
  }
  const image =
    type === 'application/json' ? await readBase64(request, signal) : await readMultipart(request, signal);
  if (image.bytes.length > MAX_IMAGE_BYTES) throw tooLarge();
  if (image.kind !== undefined && !ImageKind.safeParse(image.kind).success) {
    throw new Refusal(400, 'validation_error', 'kind is not a kind of image.', {
      errors: [{ pointer: '/kind', code: 'invalid_value', message: 'Must be a value of ImageKind.' }],
    });
  }
  return image;
}

async function readBase64(request: IncomingMessage, signal: AbortSignal): Promise<SentImage> {
  const body = await readJsonObject(request, Math.ceil(MAX_IMAGE_BYTES / 3) * 4 + multipartSlack, signal);
  const { imageData, kind, ...others } = body;
  const errors = Object.keys(others).map((key) => ({
    pointer: `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    code: 'unknown_field',
    message: 'Not a field of this request; images are never fetched from an address.',
  }));
  if (typeof imageData !== 'string' || imageData === '' || !isBase64(imageData)) {
    errors.push({ pointer: '/imageData', code: 'invalid_format', message: 'Must be base64 of an image.' });
  }
  if (kind !== undefined && typeof kind !== 'string') {
    errors.push({ pointer: '/kind', code: 'invalid_type', message: 'Must be a string.' });
  }
  if (errors.length > 0)
    throw new Refusal(400, 'validation_error', 'The request has wrong fields.', { errors });
  const bytes = Buffer.from(imageData as string, 'base64');
  return kind === undefined ? { bytes } : { bytes, kind: kind as string };
}

const isBase64 = (text: string) => text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);

async function readMultipart(request: IncomingMessage, signal: AbortSignal): Promise<SentImage> {
  const body = await readBody(request, MAX_IMAGE_BYTES + multipartSlack, signal);
  return new Promise((resolve, reject) => {
    const refuse = (detail: string) => reject(new Refusal(400, 'invalid_multipart', detail));
    const images: Buffer[] = [];
    let kind: string | undefined;
    try {
      const parser = busboy({ headers: request.headers, limits: { fieldSize: 100, parts: 4 } });
      parser.on('file', (name, stream) => {
        if (name !== 'image') refuse('Only the part "image" may be a file.');
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => images.push(Buffer.concat(chunks)));
        // A truncated part; without a listener the error would end the process.
        stream.on('error', () => refuse('The multipart body is damaged.'));
      });
      parser.on('field', (name, value) => {
        if (name === 'kind') kind = value;
        else refuse(name === 'image' ? 'The part "image" must have a file name.' : 'Unknown part.');
      });
      parser.on('error', () => refuse('The multipart body is damaged.'));
      parser.on('partsLimit', () => refuse('Too many parts.'));
      parser.on('close', () => {
        const [bytes, second] = images;
        if (bytes === undefined || second !== undefined) return refuse('Send exactly one part "image".');
        resolve(kind === undefined ? { bytes } : { bytes, kind });
      });
      parser.end(body);
    } catch {
      refuse('The multipart body has no usable boundary.');
    }
  });
}

const tooLarge = () =>
  new Refusal(413, 'payload_too_large', `The image is larger than ${MAX_IMAGE_BYTES} bytes.`);
