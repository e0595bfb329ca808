import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { inspectImage } from '../../../lib/image/inspect.ts';
import { decoderProblem } from './accept-image.ts';
import { newBlobName } from './blob-name.ts';
import { claimThumbnail, type StoredImage } from './image.queries.ts';

/** Longest side of a thumbnail in pixels. */
export const thumbnailSide = 512;

/**
 * The thumbnail of an image: made at the first request, and stored.
 * @throws {Problem} `not_found` when the image's blob is gone, `rate_limited`, `busy`; {BlobUnavailable}
 */
export async function readThumbnail(
  context: Context,
  actor: { tenantId: number },
  image: StoredImage,
): Promise<Uint8Array> {
  const { blobs, images } = context;
  const name = image.thumbnail_blob_name;
  const stored = name === null ? undefined : await blobs.get(name);
  if (stored !== undefined) return stored;
  const original = await blobs.get(image.blob_name);
  if (original === undefined) throw new Problem('not_found');
  const facts = inspectImage(original);
  if (!facts.ok) throw new Error(`a stored image is ${facts.reason}`);
  const made = await images.thumbnail(original, facts, thumbnailSide);
  if (!made.ok) throw decoderProblem(made);
  await storeThumbnail(context, actor, image, made.jpeg);
  return made.jpeg;
}

/** A thumbnail that cannot be stored is still answered: the next reader makes it again. */
async function storeThumbnail(
  { db, blobs, log }: Context,
  { tenantId }: { tenantId: number },
  image: StoredImage,
  jpeg: Uint8Array,
): Promise<void> {
  // A row that names a vanished blob gets it back under its name; otherwise the first name to be claimed counts.
  const name = image.thumbnail_blob_name ?? newBlobName();
  try {
    await blobs.put(name, [jpeg], 'image/jpeg');
    const claimed = await inTenant(db, tenantId, (tx) => claimThumbnail(tx, image.uuid, name));
    if (claimed !== name) await blobs.remove(name);
  } catch {
    log.warn('thumbnail_not_stored', { image: image.uuid });
  }
}
