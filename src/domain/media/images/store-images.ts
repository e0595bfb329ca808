import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { BlobUnavailable } from '../../../lib/blob/blob-store.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { isUniqueViolation } from '../../../lib/db/errors.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import {
  type IdempotentOutcome,
  idempotentRequest,
  withIdempotencyKey,
} from '../../../lib/idempotency/idempotency.ts';
import { acceptImages, type InspectedImage } from './accept-image.ts';
import { type CleanImage, cleanImage, type ImageOwner, replyOf } from './clean-image.ts';
import {
  deletePending,
  findMadeVisible,
  findStoredByHash,
  insertPendingImages,
  lockStored,
  markStored,
  type StoredImage,
} from './image.queries.ts';
import type { StoredImages } from './image.schemas.ts';

/** Its owner has deleted a photo that was to be used again. */
class KnownPhotoDeleted extends Error {}

const uuidsOf = (images: readonly { uuid: string }[]) => images.map(({ uuid }) => uuid);

/** What an upload by another route than store_images does besides. */
export interface UploadFor {
  /** Of the Idempotency-Key. */
  route: string;
  /** What the key covers beside the photos. */
  content: readonly string[];
  /** Number of the account whose photos they become. Runs before anything is stored, and for no retry of a stored upload. */
  findOwner: () => Promise<number>;
  /** Runs in the transaction that makes the photos visible. */
  onStored: (tx: Tx, images: StoredImages) => Promise<void>;
}

/**
 * Stores pictures without their metadata, all or none; the same bytes of the same owner are stored once. A retry with
 * the same `Idempotency-Key` gets the first reply.
 *
 * @returns one entry for each upload, in order.
 * @throws {Problem} `invalid_image`, `payload_too_large`, `rate_limited`, `busy`, those of idempotency; {BlobUnavailable}
 */
export async function storeImages(
  context: Context,
  actor: AccountActor,
  uploads: readonly Uint8Array[],
  use?: UploadFor,
): Promise<IdempotentOutcome<StoredImages>> {
  const { db, images } = context;
  const key = idempotentRequest(context, actor, use?.route ?? 'api/common/store_images', [
    ...uploads,
    ...(use?.content ?? []),
  ]);
  return await withIdempotencyKey<StoredImages>(db, key, async (onStored) => {
    const owner = { id: (await use?.findOwner()) ?? actor.id, tenantId: actor.tenantId };
    return await storeAccepted(context, owner, await acceptImages(uploads, images), async (tx, reply) => {
      await use?.onStored(tx, reply);
      await onStored(tx, reply);
    });
  });
}

/**
 * The rows come first, as `pending`, then the blobs side by side, then the rows become visible: an interruption leaves
 * nothing that a reader sees, and the timer finds what it leaves behind by the row or by the blob.
 */
async function storeAccepted(
  context: Context,
  owner: ImageOwner,
  accepted: readonly InspectedImage[],
  onStored: UploadFor['onStored'],
): Promise<StoredImages> {
  const { db, audit, clock } = context;
  const images = accepted.map((image) => cleanImage(image, owner));
  const distinct = [...new Map(images.map((image) => [image.hash, image])).values()];
  const { known, added } = await inTenant(db, owner.tenantId, async (tx) => {
    const hashes = distinct.map(({ sha256 }) => sha256);
    const known = await findStoredByHash(tx, owner.id, hashes);
    const added = distinct.filter(({ sha256 }) => !known.some((row) => row.sha256.equals(sha256)));
    await insertPendingImages(tx, added, clock.now());
    return { known, added };
  });
  try {
    await writeBlobs(context, added);
    await restoreBlobs(context, owner, known, distinct);
    const uuids = new Map([
      ...known.map(({ sha256, uuid }) => [sha256.toString('hex'), uuid] as const),
      ...added.map(({ hash, uuid }) => [hash, uuid] as const),
    ]);
    const reply = { images: images.map((image) => replyOf(uuids.get(image.hash) ?? image.uuid, image)) };
    await inTenant(db, owner.tenantId, async (tx) => {
      await markStored(tx, uuidsOf(added));
      await audit.succeeded(tx, { detail: { images: [...new Set(uuidsOf(reply.images))] } });
      await onStored(tx, reply);
      // After the case, as a deletion locks them: it waits, and then finds the photo in use.
      if (!(await lockStored(tx, uuidsOf(known)))) throw new KnownPhotoDeleted();
    });
    return reply;
  } catch (error) {
    await removePending(context, owner, added);
    if (!isUniqueViolation(error, 'images_stored_once') && !(error instanceof KnownPhotoDeleted)) throw error;
    // Another request of this owner has stored one of these pictures meanwhile: now it is found and not added. Or it has
    // deleted one: now it is added.
    return await storeAccepted(context, owner, accepted, onStored);
  }
}

/** Waits for all, also when one fails: a blob that arrives after the clean-up would be left behind. */
async function writeBlobs({ blobs }: Context, images: readonly CleanImage[]): Promise<void> {
  const writes = images.map(({ blobName, pieces, contentType }) => blobs.put(blobName, pieces, contentType));
  const failed = (await Promise.allSettled(writes)).find((write) => write.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/**
 * Gives known photos back the blobs that storage has lost: their bytes have come again. Until the night the rows promise them.
 * @throws {BlobUnavailable}
 */
async function restoreBlobs(
  { blobs, log }: Context,
  { tenantId }: ImageOwner,
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
async function removePending(
  { db, blobs, log }: Context,
  { tenantId }: ImageOwner,
  images: readonly CleanImage[],
): Promise<void> {
  try {
    const visible = await inTenant(db, tenantId, (tx) => findMadeVisible(tx, uuidsOf(images)));
    const failed = images.filter(({ uuid }) => !visible.includes(uuid));
    await Promise.all(failed.map(({ blobName }) => blobs.remove(blobName)));
    await inTenant(db, tenantId, (tx) => deletePending(tx, uuidsOf(images)));
  } catch (error) {
    const reason = error instanceof BlobUnavailable ? 'blob storage' : 'database';
    log.warn('image_clean_up_postponed', { images: images.length, reason });
  }
}
