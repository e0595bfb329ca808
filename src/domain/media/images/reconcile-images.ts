import type { BlobStore, ListedBlob } from '../../../lib/blob/blob-store.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import type { Log } from '../../../lib/log.ts';
import type { KnownBlob } from './image.queries.ts';
import { walkImages } from './walk-images.ts';

/** An upload takes seconds; what is still pending after this has been interrupted. */
export const interruptedAfterMs = 60 * 60 * 1000;
/** Blobs that no row names: interrupted uploads leave a few. More than both of these are a mistake of ours. */
const plausibleOrphans = { count: 50, share: 0.01 };

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

/** So many blobs without a row that the database is not the one of this container, or has lost its rows. */
export class TooManyOrphans extends Error {
  readonly code = 'too_many_orphans';

  constructor({ orphans, blobs, allowed }: { orphans: number; blobs: number; allowed: number }) {
    super(
      `${orphans} of ${blobs} blobs have no row, and at most ${allowed} may be removed: is this the database of this container?`,
    );
    this.name = 'TooManyOrphans';
  }
}

/** What is needed of a container. */
type Blobs = Pick<BlobStore, 'list' | 'remove'>;

interface Work {
  db: Db;
  blobs: Blobs;
  log: Log;
  settled: Date;
  counted: OrphanCount;
  done: Reconciled;
}

interface OrphanCount {
  blobs: number;
  orphans: number;
  /** How many may go in this run. */
  allowed: number;
}

/**
 * Walks rows and blobs side by side and repairs what interrupted uploads left: rows without blobs and blobs without rows.
 * What is younger than an hour may be an upload under way and is left alone.
 *
 * It walks twice: before anything is repaired it counts. Pointed at another database it would find every photo to be
 * superfluous.
 *
 * @param allow orphans that may go, instead of 50 or one in a hundred blobs, whichever is more: of an operator who has
 *   checked them.
 * @throws {TooManyOrphans} with an error in the log; {BlobUnavailable} and database errors: the next run repairs the
 *   rest.
 */
export async function reconcileImages(
  db: Db,
  blobs: Blobs,
  log: Log,
  now: Date,
  allow?: { orphans: number },
): Promise<Reconciled> {
  const done: Reconciled = { interrupted: 0, orphans: 0, missing: 0, found: 0, thumbnails: 0 };
  const settled = new Date(now.getTime() - interruptedAfterMs);
  const counted = await countOrphans(db, blobs, settled, allow);
  const work: Work = { db, blobs, log, settled, counted, done };
  if (counted.orphans > counted.allowed) refuse(work, counted.orphans);
  for await (const { row, blob } of walkImages(db, blobs)) {
    if (row === undefined) await removeOrphan(blob, work);
    else await settleRow(row, blob !== undefined, work);
  }
  return done;
}

/** Repairs nothing. */
export async function countOrphans(
  db: Db,
  blobs: Pick<Blobs, 'list'>,
  settled: Date,
  allow?: { orphans: number },
): Promise<OrphanCount> {
  let [count, orphans] = [0, 0];
  for await (const { row, blob } of walkImages(db, blobs)) {
    if (blob !== undefined) count += 1;
    if (row === undefined && blob.createdAt <= settled) orphans += 1;
  }
  const plausible = Math.max(plausibleOrphans.count, Math.floor(count * plausibleOrphans.share));
  return { blobs: count, orphans, allowed: allow?.orphans ?? plausible };
}

function refuse({ log, counted }: Work, orphans: number): never {
  const facts = { ...counted, orphans };
  log.error('image_orphans_too_many', facts);
  throw new TooManyOrphans(facts);
}

async function removeOrphan(blob: ListedBlob, work: Work): Promise<void> {
  if (blob.createdAt > work.settled) return;
  // Counted again: rows may have been lost since.
  if (work.done.orphans >= work.counted.allowed) refuse(work, work.done.orphans + 1);
  await work.blobs.remove(blob.name);
  work.done.orphans += 1;
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
