import type { BlobStore, ListedBlob } from '../../lib/blob/blob-store.ts';
import type { Db } from '../../lib/db/connect.ts';
import { inTenant } from '../../lib/db/tenant.ts';
import type { Log } from '../../lib/log.ts';
import { type KnownBlob, listKnownBlobs } from './image.queries.ts';

/** An upload takes seconds; what is still pending after this has been interrupted. */
const interruptedAfterMs = 60 * 60 * 1000;
/** As many as a page of the container's list has: both sides are held in memory a page at a time. */
const pageSize = 1000;
/** Names of ours are hexadecimal, for which every order is the same one; of other names we know no order. */
const ourName = /^[0-9a-f]+$/;

export interface Reconciled {
  /** Interrupted uploads whose row and blob were removed. */
  interrupted: number;
  /** Blobs that no row names, removed. */
  orphans: number;
  /** Stored images whose blob is gone: no longer visible, and an error in the log. */
  missing: number;
  /** Missing images whose blob was brought back: visible again. */
  found: number;
  /** Thumbnails whose blob is gone: made again when asked for. */
  thumbnails: number;
}

/** What is needed of a container. */
type Blobs = Pick<BlobStore, 'list' | 'remove'>;

interface Work {
  db: Db;
  blobs: Blobs;
  log: Log;
  settled: Date;
  done: Reconciled;
}

/**
 * Walks rows and blobs side by side, both in the order of their names, and repairs what interrupted uploads left:
 * rows without blobs and blobs without rows. What is younger than an hour may be an upload under way and is left
 * alone.
 *
 * @throws {BlobUnavailable} and database errors: whatever was not reached is reached next time.
 */
export async function reconcileImages(db: Db, blobs: Blobs, log: Log, now: Date): Promise<Reconciled> {
  const done: Reconciled = { interrupted: 0, orphans: 0, missing: 0, found: 0, thumbnails: 0 };
  const work: Work = { db, blobs, log, settled: new Date(now.getTime() - interruptedAfterMs), done };
  const rows = knownBlobs(db);
  let row = await rows.next();
  for await (const page of blobs.list()) {
    for (const blob of page) {
      for (; row.done !== true && isBefore(row.value, blob); row = await rows.next()) {
        await settleRow(row.value, false, work);
      }
      if (row.done === true || row.value.blob_name !== blob.name) {
        await removeOrphan(blob, work);
      } else {
        await settleRow(row.value, true, work);
        row = await rows.next();
      }
    }
  }
  for (; row.done !== true; row = await rows.next()) await settleRow(row.value, false, work);
  return done;
}

const isBefore = (row: KnownBlob, { name }: ListedBlob) => ourName.test(name) && row.blob_name < name;

async function* knownBlobs(db: Db): AsyncGenerator<KnownBlob, undefined> {
  let page: KnownBlob[];
  let after = '';
  do {
    page = await listKnownBlobs(db, after, pageSize);
    yield* page;
    after = page.at(-1)?.blob_name ?? after;
  } while (page.length === pageSize);
}

async function removeOrphan(blob: ListedBlob, { blobs, settled, done }: Work): Promise<void> {
  if (blob.createdAt > settled) return;
  await blobs.remove(blob.name);
  done.orphans += 1;
}

async function settleRow(row: KnownBlob, hasBlob: boolean, work: Work): Promise<void> {
  if (row.created_at > work.settled) return;
  if (row.state === 'pending') await removeInterrupted(row, work);
  else if (!hasBlob) await markGone(row, work);
  else if (row.state === 'missing' && !row.is_thumbnail) await markFound(row, work);
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

/** Not where the owner has stored the same bytes again meanwhile: they are stored once (`images_stored_once`). */
async function markFound(row: KnownBlob, { db, log, done }: Work): Promise<void> {
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
