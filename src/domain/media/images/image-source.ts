import { z } from 'zod';
import type { Actor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inspectImage } from '../../../lib/image/inspect.ts';
import { Problem } from '../../../contract/problem.ts';
import { type AcceptedImage, acceptImage, withoutMetadata, imageLimits } from './accept-image.ts';
import { readImageAudited } from './read-image-audited.ts';
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

/**
 * @throws {Problem} `validation_error`, `invalid_image`, `not_found` for a path that this caller may not see;
 *   {BlobUnavailable}
 */
export async function readImageSource(
  context: Context,
  actor: Actor,
  source: ImageSource,
): Promise<AcceptedImage> {
  if (source.imageUrl !== undefined) return await readStoredImage(context, actor, source.imageUrl);
  return await acceptImage(decodeBase64(source.imageData ?? ''), context.images, '/imageData');
}

async function readStoredImage(context: Context, actor: Actor, url: string): Promise<AcceptedImage> {
  const uuid = imageUuidOf(url);
  if (uuid === undefined) throw refused('/imageUrl', 'Must be the path of a stored image.');
  // A caller without a token sees none, and asking for one is audited like a stranger's attempt.
  if (actor.kind !== 'account') {
    throw new Problem('not_found', { detail: 'There is no such image.', conceals: { kind: 'image', uuid } });
  }
  const { blob_name: blobName } = await readImageAudited(context, actor, { uuid });
  const bytes = await context.blobs.get(blobName);
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
