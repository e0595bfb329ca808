import type { BlobStore } from '../../../lib/blob/blob-store.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import type { Log } from '../../../lib/telemetry/log.ts';
import { deletePending } from './image.queries.ts';
import { forgetThumbnail, type KnownBlob, markFound, markMissing } from './known-blob.queries.ts';

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
  else if (!hasBlob) await hide(row, work);
  else if (row.state === 'missing' && !row.is_thumbnail) await showAgain(row, work);
}

async function removeInterrupted(row: KnownBlob, { db, blobs, done }: RowRepair): Promise<void> {
  await blobs.remove(row.blob_name);
  await inTenant(db, row.tenant_id, (tx) => deletePending(tx, [row.image_uuid]));
  done.interrupted += 1;
}

async function hide(row: KnownBlob, { db, log, done }: RowRepair): Promise<void> {
  if (row.is_thumbnail) {
    if (await inTenant(db, row.tenant_id, (tx) => forgetThumbnail(tx, row))) done.thumbnails += 1;
    return;
  }
  if (row.state === 'missing') return;
  if (!(await inTenant(db, row.tenant_id, (tx) => markMissing(tx, row)))) return;
  log.error('image_blob_missing', { image: row.image_uuid, tenant: row.tenant_id });
  done.missing += 1;
}

async function showAgain(row: KnownBlob, { db, log, done }: RowRepair): Promise<void> {
  if (!(await inTenant(db, row.tenant_id, (tx) => markFound(tx, row.image_uuid)))) return;
  log.info('image_blob_found', { image: row.image_uuid, tenant: row.tenant_id });
  done.found += 1;
}
