import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';

export interface NewImage {
  uuid: string;
  tenantId: number;
  ownerUserId: number;
  blobName: string;
  sha256: Buffer;
  contentType: 'image/jpeg' | 'image/png';
  widthPx: number;
  heightPx: number;
  orientation: number;
  sizeBytes: number;
}

const columns = [
  'uuid',
  'name',
  'owner_user_id',
  'blob_name',
  'thumbnail_blob_name',
  'sha256',
  'content_type',
  'width_px',
  'height_px',
  'orientation',
  'size_bytes',
] as const;

export type StoredImage = Awaited<ReturnType<typeof findStoredByHash>>[number];

/** Images that this owner has stored already, by their hashes. */
export async function findStoredByHash(tx: Tx, ownerUserId: number, hashes: readonly Buffer[]) {
  if (hashes.length === 0) return [];
  return await tx
    .selectFrom('images')
    .select(columns)
    .where('owner_user_id', '=', ownerUserId)
    .where('sha256', 'in', hashes)
    .where('state', '=', 'stored')
    .where('deleted_at', 'is', null)
    .execute();
}

/** Locks photos against deletion. @returns whether all are still there. */
export async function lockStored(tx: Tx, uuids: readonly string[]): Promise<boolean> {
  if (uuids.length === 0) return true;
  const rows = await tx
    .selectFrom('images')
    .select('uuid')
    .where('uuid', 'in', uuids)
    .where('state', '=', 'stored')
    .where('deleted_at', 'is', null)
    .orderBy('uuid')
    .forShare()
    .execute();
  return rows.length === uuids.length;
}

/** Rows that no reader sees yet: their blobs are about to be written. */
export async function insertPendingImages(tx: Tx, images: readonly NewImage[], now: Date): Promise<void> {
  if (images.length === 0) return;
  await tx
    .insertInto('images')
    .values(
      images.map((image) => ({
        uuid: image.uuid,
        tenant_id: image.tenantId,
        owner_user_id: image.ownerUserId,
        name: `${image.uuid}.${image.contentType === 'image/png' ? 'png' : 'jpg'}`,
        state: 'pending',
        blob_name: image.blobName,
        sha256: image.sha256,
        content_type: image.contentType,
        width_px: image.widthPx,
        height_px: image.heightPx,
        orientation: image.orientation,
        size_bytes: image.sizeBytes,
        created_at: now,
      })),
    )
    .execute();
}

/**
 * Makes pending images visible, all or none.
 * @throws a unique violation of `images_stored_once` when another request has stored the same bytes meanwhile.
 */
export async function markStored(tx: Tx, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return;
  const marked = await tx
    .updateTable('images')
    .set({ state: 'stored' })
    .where('uuid', 'in', uuids)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  if (marked.numUpdatedRows !== BigInt(uuids.length)) throw new Error('a pending image is gone');
}

/**
 * Which of these images have become visible. Waits for a transaction that is making them visible: the answer to its COMMIT
 * may have been lost.
 */
export async function findMadeVisible(tx: Tx, uuids: readonly string[]): Promise<string[]> {
  if (uuids.length === 0) return [];
  const rows = await tx
    .selectFrom('images')
    .select(['uuid', 'state'])
    .where('uuid', 'in', uuids)
    .orderBy('uuid')
    .forUpdate()
    .execute();
  return rows.filter(({ state }) => state !== 'pending').map(({ uuid }) => uuid);
}

/** Deletes rows of images that never became visible. */
export async function deletePending(tx: Tx, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return;
  await tx.deleteFrom('images').where('uuid', 'in', uuids).where('state', '=', 'pending').execute();
}

/** One of the tenant's images, as long as it is stored. `onlyVisible` decides who may see it. */
export async function findImage(tx: Tx, uuid: string) {
  return await tx
    .selectFrom('images')
    .select(columns)
    .where('uuid', '=', uuid)
    .where('state', '=', 'stored')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Those of these images that are stored, with their owners. `onlyVisible` decides who may see them. */
export async function findStoredOwners(
  tx: Tx,
  uuids: readonly string[],
): Promise<{ uuid: string; owner_user_id: number | null }[]> {
  return await tx
    .selectFrom('images')
    .select(['uuid', 'owner_user_id'])
    .where('uuid', 'in', uuids)
    .where('state', '=', 'stored')
    .where('deleted_at', 'is', null)
    .execute();
}

/**
 * Claims the place of an image's thumbnail for a blob; the first claim wins.
 * @returns the winner's name; null for an image that has been deleted meanwhile.
 */
export async function claimThumbnail(tx: Tx, uuid: string, blobName: string): Promise<string | null> {
  const { rows } = await sql<{ thumbnail_blob_name: string | null }>`
    UPDATE images SET thumbnail_blob_name = coalesce(thumbnail_blob_name, ${blobName})
    WHERE uuid = ${uuid} AND deleted_at IS NULL RETURNING thumbnail_blob_name`.execute(tx);
  return rows[0]?.thumbnail_blob_name ?? null;
}

/** Whether an image of this id, in any state, belongs to the user. */
export async function wasImageOf(tx: Tx, uuid: string, userId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('images')
    .select('uuid')
    .where('uuid', '=', uuid)
    .where('owner_user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}
