import { EventCategory } from '../../../contract/audit.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { isLockTimeout } from '../../../lib/db/errors.ts';
import type { Attempt } from '../../../lib/concurrency/independent-steps.ts';
import type { Log } from '../../../lib/telemetry/log.ts';
import { inTransaction } from '../../../lib/db/transaction.ts';
import { createPartitionsOf, dropPartition, findExpiredPartitions } from './event-partition.queries.ts';

/**
 * Creates the partitions of the event log for the current period, the two after it and those of events that came without
 * one, which are moved into theirs; with the rights of the tables' owner. Each category in a transaction of its own: its
 * events wait meanwhile, and one that fails leaves those of the others.
 *
 * @returns how many are new.
 */
export async function createEventPartitions(db: Db, attempt: Attempt): Promise<number> {
  let made = 0;
  for (const category of EventCategory.options) {
    await attempt({ category }, async () => {
      made += await createPartitionsOf(db, category);
    });
  }
  return made;
}

export interface DroppedPartitions {
  dropped: number;
  /** In use for too long; the next run drops them. */
  postponed: number;
}

/**
 * Drops the partitions of the event log that lie wholly beyond the retention of their category: system 90 days, auth 1
 * year, ai 2, admin 5, access 10, case 15 (migrations/functions/event_log_retention.sql). Each in a transaction of its
 * own, with the rights of the tables' owner, so that one that cannot be dropped leaves no other beyond its retention. A `now`
 * later than the database's clock drops nothing earlier.
 */
export async function dropEventPartitions(
  { db, log }: { db: Db; log: Log },
  now: Date,
  attempt: Attempt,
): Promise<DroppedPartitions> {
  const done: DroppedPartitions = { dropped: 0, postponed: 0 };
  for (const partition of await findExpiredPartitions(db, now)) {
    await attempt({ partition }, async () => {
      try {
        await inTransaction(db, (tx) => dropPartition(tx, partition, now));
        done.dropped += 1;
        log.info('event_partition_dropped', { partition });
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        done.postponed += 1;
        log.warn('event_partition_in_use', { partition });
      }
    });
  }
  return done;
}
