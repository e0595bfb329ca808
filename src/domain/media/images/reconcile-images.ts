import type { BlobStore, ListedBlob } from '../../../lib/blob/blob-store.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { describeError, type Log } from '../../../lib/telemetry/log.ts';
import { type RowRepair, settleRow } from './settle-image-row.ts';
import { ourName, type Pair, walkImages } from './walk-images.ts';

/** An upload takes seconds; a row still pending after this was interrupted. */
export const interruptedAfterMs = 60 * 60 * 1000;
/** One that cannot be repaired, such as a blob that storage will not remove, holds up no other; more mean that storage is away. */
const mostFailures = 20;
/** Blobs without a row: interrupted uploads leave a few. More than both of these mean a mistake of ours. */
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
  /** How many had been removed before there were too many. */
  readonly removed: number;

  constructor({ orphans, blobs, allowed }: OrphanCount, removed: number) {
    super(
      `${orphans} of ${blobs} blobs have no row, and at most ${allowed} may be removed: is this the database of this container?`,
    );
    this.name = 'TooManyOrphans';
    this.removed = removed;
  }
}

type Blobs = Pick<BlobStore, 'list' | 'remove'>;

interface Work extends RowRepair {
  counted: OrphanCount;
  done: Reconciled;
}

interface OrphanCount {
  blobs: number;
  orphans: number;
  /** How many this run may remove. */
  allowed: number;
}

/**
 * Walks rows and blobs side by side and repairs what interrupted uploads left: rows without blobs and blobs without rows.
 * Those younger than an hour may belong to an upload in flight and stay.
 *
 * It walks twice and counts before it repairs: with the wrong database it would take every photo for an orphan.
 *
 * @param allow orphans that may be removed, instead of 50 or one in a hundred blobs, whichever is more: for an operator
 *   who has checked them.
 * @throws {TooManyOrphans} with an error in the log; {BlobUnavailable} and database errors, the first of those that concern one
 *   row or blob when the others have been repaired: the next run repairs the rest.
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
  const failures: unknown[] = [];
  for await (const pair of walkImages(db, blobs)) {
    try {
      await repair(pair, work);
    } catch (error) {
      failures.push(error);
      if (error instanceof TooManyOrphans || failures.length > mostFailures) throw error;
      const { tenant_id: tenant, image_uuid: image, blob_name: known } = pair.row ?? {};
      const name = known ?? pair.blob?.name ?? '';
      const blob = ourName.test(name) ? name : undefined;
      log.error('timer_step_failed', { tenant, image, blob, ...describeError(error) });
    }
  }
  if (failures.length > 0) throw failures[0];
  return done;
}

async function repair({ row, blob }: Pair, work: Work): Promise<void> {
  if (row === undefined) await removeOrphan(blob, work);
  else await settleRow(row, blob !== undefined, work);
}

/** Counts only; repairs nothing. */
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

function refuse({ log, counted, done }: Work, orphans: number): never {
  const facts = { ...counted, orphans };
  log.error('image_orphans_too_many', facts);
  throw new TooManyOrphans(facts, done.orphans);
}

async function removeOrphan(blob: ListedBlob, work: Work): Promise<void> {
  if (blob.createdAt > work.settled) return;
  // Checked again: rows may have been lost since the count.
  if (work.done.orphans >= work.counted.allowed) refuse(work, work.done.orphans + 1);
  await work.blobs.remove(blob.name);
  work.done.orphans += 1;
}
