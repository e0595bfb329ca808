import { createHash } from 'node:crypto';
import type { AccountActor } from '../../../contract/actor.ts';
import { BlobUnavailable } from '../../../lib/blob/blob-store.ts';
import type { Context } from '../../../lib/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { isUniqueViolation } from '../../../lib/db/errors.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { type IdempotentOutcome, withIdempotencyKey } from '../../../lib/idempotency/idempotency.ts';
import { acceptImages, type InspectedImage } from './accept-image.ts';
import { type CleanImage, cleanImage, replyOf } from './clean-image.ts';
import { deletePending, findStoredByHash, insertPendingImages, markStored } from './image.queries.ts';
import type { StoredImages } from './image.schemas.ts';

type OnStored = (tx: Tx, reply: StoredImages) => Promise<void>;

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
): Promise<IdempotentOutcome<StoredImages>> {
  const { db, request, clock, images } = context;
  const { tenantId, uuid: userKey } = actor;
  const route = 'api/common/store_images';
  const fingerprint = fingerprintOf(route, uploads);
  const key = { key: request.idempotencyKey, tenantId, userKey, route, fingerprint, now: clock.now() };
  return await withIdempotencyKey<StoredImages>(db, key, async (onStored) =>
    storeAccepted(context, actor, await acceptImages(uploads, images), onStored),
  );
}

/**
 * The rows come first, as `pending`, then the blobs side by side, then the rows become visible: an interruption leaves
 * nothing that a reader sees, and the timer finds what it leaves behind by the row or by the blob.
 */
async function storeAccepted(
  context: Context,
  actor: AccountActor,
  accepted: readonly InspectedImage[],
  onStored: OnStored,
): Promise<StoredImages> {
  const { db, audit, clock } = context;
  const images = accepted.map((image) => cleanImage(image, actor));
  const distinct = [...new Map(images.map((image) => [image.hash, image])).values()];
  const { known, added } = await inTenant(db, actor.tenantId, async (tx) => {
    const hashes = distinct.map(({ sha256 }) => sha256);
    const known = await findStoredByHash(tx, actor.id, hashes);
    const added = distinct.filter(({ sha256 }) => !known.some((row) => row.sha256.equals(sha256)));
    await insertPendingImages(tx, added, clock.now());
    return { known, added };
  });
  try {
    await writeBlobs(context, added);
    const uuids = new Map([
      ...known.map(({ sha256, uuid }) => [sha256.toString('hex'), uuid] as const),
      ...added.map(({ hash, uuid }) => [hash, uuid] as const),
    ]);
    const reply = { images: images.map((image) => replyOf(uuids.get(image.hash) ?? image.uuid, image)) };
    await inTenant(db, actor.tenantId, async (tx) => {
      const addedUuids = added.map(({ uuid }) => uuid);
      await markStored(tx, addedUuids);
      await audit.succeeded(tx, { detail: { images: [...new Set(reply.images.map(({ uuid }) => uuid))] } });
      await onStored(tx, reply);
    });
    return reply;
  } catch (error) {
    await removePending(context, actor, added);
    if (!isUniqueViolation(error, 'images_stored_once')) throw error;
    // Another request of this owner has stored one of these pictures meanwhile: now it is found and not added.
    return await storeAccepted(context, actor, accepted, onStored);
  }
}

/** Waits for all, also when one fails: a blob that arrives after the clean-up would be left behind. */
async function writeBlobs({ blobs }: Context, images: readonly CleanImage[]): Promise<void> {
  const writes = images.map(({ blobName, pieces, contentType }) => blobs.put(blobName, pieces, contentType));
  const failed = (await Promise.allSettled(writes)).find((write) => write.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Blobs first: a row without a blob is harmless, a blob without a row costs the timer a walk. */
async function removePending(
  { db, blobs, log }: Context,
  { tenantId }: AccountActor,
  images: readonly CleanImage[],
): Promise<void> {
  try {
    await Promise.all(images.map(({ blobName }) => blobs.remove(blobName)));
    const uuids = images.map(({ uuid }) => uuid);
    await inTenant(db, tenantId, (tx) => deletePending(tx, uuids));
  } catch (error) {
    // What is left is pending and invisible; the timer removes it.
    const reason = error instanceof BlobUnavailable ? 'blob storage' : 'database';
    log.warn('image_clean_up_postponed', { images: images.length, reason });
  }
}

/** A retry has the same files in the same order, whatever boundary or names the form has. */
function fingerprintOf(route: string, uploads: readonly Uint8Array[]): Buffer {
  const digest = createHash('sha256').update(route);
  for (const upload of uploads) digest.update(createHash('sha256').update(upload).digest());
  return digest.digest();
}
