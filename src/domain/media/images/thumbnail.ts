import type { BlobStore } from '../../../lib/blob/blob-store.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import type { ImageDecoder } from '../../../lib/image/decode.ts';
import { inspectImage } from '../../../lib/image/inspect.ts';
import type { Log } from '../../../lib/log.ts';
import { Problem } from '../../../contract/problem.ts';
import { decodeTrouble } from './accept-image.ts';
import { keepThumbnail, type StoredImage } from './image.queries.ts';
import { newBlobName } from './store-images.ts';

/** Longest side of a thumbnail in pixels. */
export const thumbnailSide = 512;

export interface ThumbnailTools {
  db: Db;
  blobs: BlobStore;
  images: Pick<ImageDecoder, 'thumbnail'>;
  tenantId: number;
  log: Log;
}

/**
 * The thumbnail of an image: made when first asked for, and kept.
 * @throws {Problem} `not_found` when the image's blob is gone, `rate_limited`, `busy`; {BlobUnavailable}
 */
export async function readThumbnail(image: StoredImage, tools: ThumbnailTools): Promise<Uint8Array> {
  const { blobs } = tools;
  const kept = image.thumbnail_blob_name === null ? undefined : await blobs.get(image.thumbnail_blob_name);
  if (kept !== undefined) return kept;
  const original = await blobs.get(image.blob_name);
  if (original === undefined) throw new Problem('not_found');
  const facts = inspectImage(original);
  if (!facts.ok) throw new Error(`a stored image is ${facts.reason}`);
  const made = await tools.images.thumbnail(original, facts, thumbnailSide);
  if (!made.ok) throw decodeTrouble(made);
  await keep(image, made.jpeg, tools);
  return made.jpeg;
}

/** A thumbnail that cannot be kept is still a thumbnail: the next reader makes it again. */
async function keep(image: StoredImage, jpeg: Uint8Array, { db, blobs, tenantId, log }: ThumbnailTools) {
  // One whose blob has vanished gets it back under its name; otherwise a new name, of which the first counts.
  const name = image.thumbnail_blob_name ?? newBlobName();
  try {
    await blobs.put(name, [jpeg], 'image/jpeg');
    const counts = await inTenant(db, tenantId, (tx) => keepThumbnail(tx, image.uuid, name));
    if (counts !== name) await blobs.remove(name);
  } catch {
    log.warn('thumbnail_not_kept', { image: image.uuid });
  }
}
