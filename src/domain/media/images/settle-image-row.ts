import type { BlobStore } from '../../../lib/blob/blob-store.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import type { Log } from '../../../lib/telemetry/log.ts';
import type { KnownBlob } from './image.queries.ts';

export interface RowRepair {
  db: Db;
  blobs: Pick<BlobStore, 'remove'>;
  log: Log;
  /** Younger rows may belong to an upload in flight. */
  settled: Date;
  /** Counts what was done. */
  done: { interrupted: number; missing: number; found: number; thumbnails: number };
}

/** Makes a row agree with the container: removes an interrupted upload, hides an image whose blob is gone. */
export async function settleRow(row: KnownBlob, hasBlob: boolean, work: RowRepair): Promise<void> {
  if (row.created_at > work.settled) return;
  if (row.state === 'deleted') {
    // What the deletion could not reach.
    if (hasBlob) await work.blobs.remove(row.blob_name);
  } else if (row.state === 'pending') await removeInterrupted(row, work);
  else if (!hasBlob) await markGone(row, work);
  else if (row.state === 'missing' && !row.is_thumbnail) await markFound(row, work);
}

async function removeInterrupted(row: KnownBlob, { db, blobs, done }: RowRepair): Promise<void> {
  await blobs.remove(row.blob_name);
  await inTenant(db, row.tenant_id, (tx) =>
    tx.deleteFrom('images').where('uuid', '=', row.image_uuid).where('state', '=', 'pending').execute(),
  );
  done.interrupted += 1;
}

/** Unless its owner has deleted the image, or it was erased, since the row was read: then the blob has gone with it. */
async function markGone(row: KnownBlob, { db, log, done }: RowRepair): Promise<void> {
  const gone = row.is_thumbnail ? { thumbnail_blob_name: null } : { state: 'missing' as const };
  if (row.state === 'missing' && !row.is_thumbnail) return;
  const { numUpdatedRows } = await inTenant(db, row.tenant_id, (tx) =>
    tx
      .updateTable('images')
      .set(gone)
      .where('uuid', '=', row.image_uuid)
      .where(row.is_thumbnail ? 'thumbnail_blob_name' : 'blob_name', '=', row.blob_name)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  );
  if (numUpdatedRows === 0n) return;
  if (row.is_thumbnail) {
    done.thumbnails += 1;
  } else {
    log.error('image_blob_missing', { image: row.image_uuid, tenant: row.tenant_id });
    done.missing += 1;
  }
}

/** Unless the owner has stored the same bytes again meanwhile: they are stored once (`images_stored_once`). */
async function markFound(row: KnownBlob, { db, log, done }: RowRepair): Promise<void> {
  const { numUpdatedRows } = await inTenant(db, row.tenant_id, (tx) =>
    tx
      .updateTable('images')
      .set({ state: 'stored' })
      .where('uuid', '=', row.image_uuid)
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
      .executeTakeFirst(),
  );
  if (numUpdatedRows === 0n) return;
  log.info('image_blob_found', { image: row.image_uuid, tenant: row.tenant_id });
  done.found += 1;
}
