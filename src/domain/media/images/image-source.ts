import { z } from 'zod';
import type { BlobStore } from '../../../lib/blob/blob-store.ts';
import type { Db } from '../../../lib/db/connect.ts';
import type { ImageDecoder } from '../../../lib/image/decode.ts';
import { inspectImage } from '../../../lib/image/inspect.ts';
import type { Actor } from '../../../contract/actor.ts';
import type { AuditContext } from '../../../lib/audit.ts';
import { Problem } from '../../../contract/problem.ts';
import { type AcceptedImage, acceptImage, withoutMetadata, imageLimits } from './accept-image.ts';
import { findVisibleImage } from './find-visible-image.ts';
import { imageUuidOf } from './visible-images.ts';

/** An image named by a JSON body: its bytes, or the path of one that we have stored. */
export const ImageSource = z
  .strictObject({
    imageData: z
      .string()
      .max(Math.ceil(imageLimits.maxBytes / 3) * 4)
      .optional()
      .meta({ description: 'The bytes of a JPEG or PNG in base64 (RFC 4648 §4), without a `data:` prefix.' }),
    imageUrl: z.string().max(2048).optional().meta({
      description: 'Path of a stored image, `/api/common/images/<uuid>`; others are never fetched.',
    }),
  })
  .refine(({ imageData, imageUrl }) => (imageData === undefined) !== (imageUrl === undefined), {
    error: 'Send either imageData or imageUrl.',
  })
  .meta({
    id: 'ImageSource',
    description: 'Exactly one of the two: the bytes, or the path of a stored photo.',
  });
export type ImageSource = z.infer<typeof ImageSource>;

export interface SourceTools {
  db: Db;
  blobs: BlobStore;
  images: Pick<ImageDecoder, 'check'>;
  actor: Actor;
  audit: AuditContext;
}

/**
 * @throws {Problem} `validation_error`, `invalid_image`, `not_found` for a path that this caller may not see;
 *   {BlobUnavailable}
 */
export async function readImageSource(source: ImageSource, tools: SourceTools): Promise<AcceptedImage> {
  if (source.imageUrl !== undefined) return await readStoredImage(source.imageUrl, tools);
  return await acceptImage(decodeBase64(source.imageData ?? ''), tools.images, '/imageData');
}

async function readStoredImage(
  url: string,
  { db, blobs, actor, audit }: SourceTools,
): Promise<AcceptedImage> {
  const uuid = imageUuidOf(url);
  if (uuid === undefined) throw refused('/imageUrl', 'Must be the path of a stored image.');
  // A caller without a token sees none; asking for one is as telling as a stranger's look at it.
  if (actor.kind !== 'account') {
    throw new Problem('not_found', { detail: 'There is no such image.', conceals: { kind: 'image', uuid } });
  }
  const { blob_name: blobName } = await findVisibleImage(db, actor, uuid, audit);
  const bytes = await blobs.get(blobName);
  const facts = bytes && inspectImage(bytes);
  if (bytes === undefined || !facts?.ok)
    throw new Problem('not_found', { detail: 'There is no such image.' });
  return withoutMetadata({ bytes, facts });
}

/**
 * Node's decoder skips unknown characters, takes the URL-safe alphabet as well and reads only the low byte of a wide
 * character: so all must be ASCII, and the bytes as many as the text promises. A regular expression over 20 MB takes
 * longer than the decoding.
 */
function decodeBase64(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const isWhole = text.length % 4 === 0 && bytes.byteLength === (text.length / 4) * 3 - padding;
  const isAscii = Buffer.byteLength(text) === text.length;
  if (isWhole && isAscii && !text.includes('-') && !text.includes('_')) return bytes;
  throw refused('/imageData', 'Must be base64.');
}

function refused(pointer: string, message: string): Problem {
  return new Problem('validation_error', { errors: [{ pointer, code: 'invalid_format', message }] });
}
