import { sql } from 'kysely';
import type { Db, Tx } from '../../../lib/db/connect.ts';

export interface KnownBlob {
  blob_name: string;
  image_uuid: string;
  tenant_id: number;
  is_thumbnail: boolean;
  state: 'pending' | 'stored' | 'missing' | 'deleted';
  created_at: Date;
}

/** The blobs that rows of all tenants name, in byte order of their names: at most `limit` of those after `after`. */
export async function listKnownBlobs(db: Db, after: string, limit: number): Promise<KnownBlob[]> {
  const { rows } = await sql<KnownBlob>`SELECT * FROM list_image_blob_page(${after}, ${limit})`.execute(db);
  return rows;
}

/**
 * Hides an image whose blob is gone.
 * @returns false where its owner has deleted it, or it was erased, since the row was read: then the blob has gone with it.
 */
export async function markMissing(
  tx: Tx,
  { image_uuid: uuid, blob_name: name }: KnownBlob,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('images')
    .set({ state: 'missing' })
    .where('uuid', '=', uuid)
    .where('blob_name', '=', name)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Forgets a thumbnail whose blob is gone.
 * @returns as {@link markMissing}.
 */
export async function forgetThumbnail(
  tx: Tx,
  { image_uuid: uuid, blob_name: name }: KnownBlob,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('images')
    .set({ thumbnail_blob_name: null })
    .where('uuid', '=', uuid)
    .where('thumbnail_blob_name', '=', name)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Shows an image again whose blob was brought back.
 * @returns false where its owner has stored the same bytes again meanwhile: they are stored once (`images_stored_once`).
 */
export async function markFound(tx: Tx, uuid: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('images')
    .set({ state: 'stored' })
    .where('uuid', '=', uuid)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('images as same')
            .select('same.uuid')
            .whereRef('same.owner_user_id', '=', 'images.owner_user_id')
            .whereRef('same.sha256', '=', 'images.sha256')
            .where('same.state', '=', 'stored')
            .where('same.deleted_at', 'is', null),
        ),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
