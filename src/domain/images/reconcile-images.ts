import type { BlobStore, ListedBlob } from '../../lib/blob/blob-store.ts';
import type { Db } from '../../lib/db/connect.ts';
import { inTenant } from '../../lib/db/tenant.ts';
import type { Log } from '../../lib/log.ts';
import { type KnownBlob, listKnownBlobs } from './image.queries.ts';

/** An upload takes seconds; what is still pending after this has been interrupted. */
const interruptedAfterMs = 60 * 60 * 1000;

export interface Reconciled {
  /** Interrupted uploads whose row and blob were removed. */
  interrupted: number;
  /** Blobs that no row names, removed. */
  orphans: number;
  /** Stored images whose blob is gone: no longer visible, and an error in the log. */
  missing: number;
  /** Thumbnails whose blob is gone: made again when asked for. */
  thumbnails: number;
}

/**
 * Walks rows and blobs side by side, both in the order of their names, and repairs what interrupted uploads left:
 * rows without blobs and blobs without rows. What is younger than an hour may be an upload under way and is left
 * alone.
 *
 * @throws {BlobUnavailable} and database errors: whatever was not reached is reached next time.
 */
export async function reconcileImages(db: Db, blobs: BlobStore, log: Log, now: Date): Promise<Reconciled> {
  const done: Reconciled = { interrupted: 0, orphans: 0, missing: 0, thumbnails: 0 };
  const settled = new Date(now.getTime() - interruptedAfterMs);
  let after = '';
  for await (const page of blobs.list()) {
    const last = page.at(-1)?.name;
    if (last === undefined) continue;
    await reconcilePage(page, await listKnownBlobs(db, after, last), { db, blobs, log, settled, done });
    after = last;
  }
  await reconcilePage([], await listKnownBlobs(db, after, null), { db, blobs, log, settled, done });
  return done;
}

interface Work {
  db: Db;
  blobs: BlobStore;
  log: Log;
  settled: Date;
  done: Reconciled;
}

async function reconcilePage(
  page: readonly ListedBlob[],
  known: readonly KnownBlob[],
  work: Work,
): Promise<void> {
  const names = new Set(known.map(({ blob_name }) => blob_name));
  for (const blob of page) {
    if (names.has(blob.name) || blob.createdAt > work.settled) continue;
    await work.blobs.remove(blob.name);
    work.done.orphans += 1;
  }
  const present = new Set(page.map(({ name }) => name));
  for (const row of known) {
    if (row.created_at > work.settled) continue;
    if (row.state === 'pending') await removeInterrupted(row, work);
    else if (!present.has(row.blob_name)) await markGone(row, work);
  }
}

async function removeInterrupted(row: KnownBlob, { db, blobs, done }: Work): Promise<void> {
  await blobs.remove(row.blob_name);
  await inTenant(db, row.tenant_id, (tx) =>
    tx.deleteFrom('images').where('uuid', '=', row.image_uuid).where('state', '=', 'pending').execute(),
  );
  done.interrupted += 1;
}

async function markGone(row: KnownBlob, { db, log, done }: Work): Promise<void> {
  const gone = row.is_thumbnail ? { thumbnail_blob_name: null } : { state: 'missing' };
  if (row.state === 'missing' && !row.is_thumbnail) return;
  await inTenant(db, row.tenant_id, (tx) =>
    tx.updateTable('images').set(gone).where('uuid', '=', row.image_uuid).execute(),
  );
  if (row.is_thumbnail) {
    done.thumbnails += 1;
  } else {
    log.error('image_blob_missing', { image: row.image_uuid, tenant: row.tenant_id });
    done.missing += 1;
  }
}
