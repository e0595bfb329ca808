import { createHash, randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { BlobUnavailable, type BlobStore } from '../../../lib/blob/blob-store.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { isUniqueViolation } from '../../../lib/db/errors.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { stripMetadata } from '../../../lib/image/strip-metadata.ts';
import type { Log } from '../../../lib/log.ts';
import type { InspectedImage } from './accept-image.ts';
import {
  deletePending,
  findStoredByHash,
  insertPendingImages,
  markStored,
  type NewImage,
  type StoredImage,
} from './image.queries.ts';
import { imagePath, type StoredImageReply } from './image.schemas.ts';

export interface ImageOwner {
  tenantId: number;
  userId: number;
}

export interface StoreTools {
  db: Db;
  blobs: BlobStore;
  log: Log;
  now: Date;
  /** Runs in the transaction that makes the images visible. */
  onStored(tx: Tx, images: StoredImageReply[]): Promise<void>;
}

/** A picture without metadata, ready to be written: its bytes are views of the upload. */
interface CleanImage extends NewImage {
  pieces: Uint8Array[];
  /** Hexadecimal, to compare with others. */
  hash: string;
}

/**
 * Stores pictures without their metadata, all or none. The rows come first, as `pending`, then the blobs side by
 * side, then the rows become visible: whatever interrupts this leaves nothing that anybody sees, and what it leaves
 * behind the timer finds by the row or by the blob.
 *
 * @returns one entry for each picture, in order; the same bytes of the same owner are stored once.
 * @throws {BlobUnavailable}
 */
export async function storeImages(
  accepted: readonly InspectedImage[],
  owner: ImageOwner,
  tools: StoreTools,
): Promise<StoredImageReply[]> {
  const images = accepted.map((image) => cleanImage(image, owner));
  const distinct = [...new Map(images.map((image) => [image.hash, image])).values()];
  const hashes = distinct.map(({ sha256 }) => sha256);
  const { db, now } = tools;
  const { known, added } = await inTenant(db, owner.tenantId, async (tx) => {
    const known = await findStoredByHash(tx, owner.userId, hashes);
    const added = distinct.filter(({ sha256 }) => !known.some((row) => row.sha256.equals(sha256)));
    await insertPendingImages(tx, added, now);
    return { known, added };
  });
  try {
    await writeBlobs(added, tools.blobs);
    return await makeVisible(images, known, added, owner, tools);
  } catch (error) {
    await undo(added, owner, tools);
    if (!isUniqueViolation(error, 'images_stored_once')) throw error;
    // Another request of this owner has stored one of these pictures meanwhile: now it is found and not added.
    return await storeImages(accepted, owner, tools);
  }
}

function cleanImage({ bytes, facts }: InspectedImage, owner: ImageOwner): CleanImage {
  const pieces = stripMetadata(bytes, facts);
  const digest = createHash('sha256');
  for (const piece of pieces) digest.update(piece);
  const sha256 = digest.digest();
  return {
    uuid: uuidv7(),
    tenantId: owner.tenantId,
    ownerUserId: owner.userId,
    // Says nothing of owner, time or content.
    blobName: newBlobName(),
    sha256,
    hash: sha256.toString('hex'),
    contentType: facts.type,
    widthPx: facts.widthPx,
    heightPx: facts.heightPx,
    orientation: facts.orientation,
    sizeBytes: pieces.reduce((sum, piece) => sum + piece.byteLength, 0),
    pieces,
  };
}

export function newBlobName(): string {
  return randomBytes(24).toString('hex');
}

/** Waits for all, also when one fails: a blob that arrives after the clean-up would be left behind. */
async function writeBlobs(images: readonly CleanImage[], blobs: BlobStore): Promise<void> {
  const writes = images.map(({ blobName, pieces, contentType }) => blobs.put(blobName, pieces, contentType));
  const failed = (await Promise.allSettled(writes)).find((write) => write.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function makeVisible(
  images: readonly CleanImage[],
  known: readonly StoredImage[],
  added: readonly CleanImage[],
  { tenantId }: ImageOwner,
  { db, onStored }: StoreTools,
): Promise<StoredImageReply[]> {
  const uuidByHash = new Map([
    ...known.map(({ sha256, uuid }) => [sha256.toString('hex'), uuid] as const),
    ...added.map(({ hash, uuid }) => [hash, uuid] as const),
  ]);
  const replies = images.map((image) => replyOf(uuidByHash.get(image.hash) ?? image.uuid, image));
  await inTenant(db, tenantId, async (tx) => {
    await markStored(
      tx,
      added.map(({ uuid }) => uuid),
    );
    await onStored(tx, replies);
  });
  return replies;
}

function replyOf(uuid: string, image: CleanImage): StoredImageReply {
  const { hash: sha256, contentType, widthPx, heightPx, sizeBytes, orientation } = image;
  return { uuid, url: imagePath(uuid), sha256, contentType, widthPx, heightPx, sizeBytes, orientation };
}

/** Blobs first: a row without a blob is harmless, a blob without a row costs the timer a walk. */
async function undo(images: readonly CleanImage[], owner: ImageOwner, tools: StoreTools): Promise<void> {
  try {
    await Promise.all(images.map(({ blobName }) => tools.blobs.remove(blobName)));
    const uuids = images.map(({ uuid }) => uuid);
    await inTenant(tools.db, owner.tenantId, (tx) => deletePending(tx, uuids));
  } catch (error) {
    // What is left is pending and invisible; the timer removes it.
    const reason = error instanceof BlobUnavailable ? 'blob storage' : 'database';
    tools.log.warn('image_clean_up_postponed', { images: images.length, reason });
  }
}
