import type { AccountActor } from '../../../contract/actor.ts';
import { BlobUnavailable } from '../../../lib/blob/blob-store.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import type { CleanImage } from './clean-image.ts';
import { deletePending, findMadeVisible, type StoredImage } from './image.queries.ts';

/** Waits for all, also when one fails: a blob that arrives after the clean-up would be left behind. */
export async function writeBlobs({ blobs }: Context, images: readonly CleanImage[]): Promise<void> {
  const writes = images.map(({ blobName, pieces, contentType }) => blobs.put(blobName, pieces, contentType));
  const failed = (await Promise.allSettled(writes)).find((write) => write.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/**
 * Gives known photos back the blobs that storage has lost: their bytes have come again. Until the night the rows promise them.
 * @throws {BlobUnavailable}
 */
export async function restoreBlobs(
  { blobs, log }: Context,
  { tenantId }: Pick<AccountActor, 'tenantId'>,
  known: readonly StoredImage[],
  images: readonly CleanImage[],
): Promise<void> {
  for (const { uuid, blob_name: name, sha256 } of known) {
    const image = images.find((each) => each.sha256.equals(sha256));
    if (image === undefined || (await blobs.get(name, { offset: 0, count: 1 })) !== undefined) continue;
    await blobs.put(name, image.pieces, image.contentType);
    log.warn('image_blob_restored', { image: uuid, tenant: tenantId });
  }
}

/**
 * Removes blobs and rows of an upload that failed, except those of images that PostgreSQL has made visible nevertheless. Rows
 * that an erasure has removed meanwhile leave blobs as well.
 * Blobs before rows: a row without a blob is harmless, a blob without a row costs the timer a walk. Never throws: the timer
 * removes what is left.
 */
export async function removePending(
  { db, blobs, log }: Context,
  { tenantId }: Pick<AccountActor, 'tenantId'>,
  images: readonly CleanImage[],
): Promise<void> {
  try {
    const uuids = images.map(({ uuid }) => uuid);
    const visible = await inTenant(db, tenantId, (tx) => findMadeVisible(tx, uuids));
    const failed = images.filter(({ uuid }) => !visible.includes(uuid));
    await Promise.all(failed.map(({ blobName }) => blobs.remove(blobName)));
    await inTenant(db, tenantId, (tx) => deletePending(tx, uuids));
  } catch (error) {
    const reason = error instanceof BlobUnavailable ? 'blob storage' : 'database';
    log.warn('image_clean_up_postponed', { images: images.length, reason });
  }
}
