import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import { isPartOf } from '../../cases/photos/part-of-case.queries.ts';

/** Photos of these stay with the case: they are part of the medical record. */
export const inSubmittedCase = sql<boolean>`EXISTS (
  SELECT FROM case_images c JOIN request_records r ON r.uuid = c.case_uuid AND r.tenant_id = c.tenant_id
  WHERE c.tenant_id = images.tenant_id AND c.image_uuid = images.uuid AND r.submitted_at IS NOT NULL
    AND ${isPartOf('c', 'r')})`;

/**
 * Names of an account's blobs: also those of uploads that were interrupted, not those of submitted cases. Locked: a thumbnail that is being made is not
 * missed.
 */
export async function lockBlobsOf(tx: Tx, userId: number): Promise<string[]> {
  const images = await tx
    .selectFrom('images')
    .select(['blob_name', 'thumbnail_blob_name'])
    .where('owner_user_id', '=', userId)
    .where(({ not }) => not(inSubmittedCase))
    .forUpdate()
    .execute();
  return images.flatMap(({ blob_name: name, thumbnail_blob_name: thumbnail }) =>
    thumbnail === null ? [name] : [name, thumbnail],
  );
}

/** Names of the blobs of uploads that have not ended. */
export async function findUnfinishedUploads(tx: Tx, userId: number): Promise<string[]> {
  const images = await tx
    .selectFrom('images')
    .select('blob_name')
    .where('owner_user_id', '=', userId)
    .where('state', '=', 'pending')
    .execute();
  return images.map((image) => image.blob_name);
}

/** But for those of submitted cases. */
export async function markPhotosDeleted(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx
    .updateTable('images')
    .set({ deleted_at: now })
    .where('owner_user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where(({ not }) => not(inSubmittedCase))
    .execute();
}
