import { sql } from 'kysely';
import { EventCategory } from '../../../contract/audit.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { isLockTimeout } from '../../../lib/db/errors.ts';
import type { Attempt } from '../../../lib/concurrency/independent-steps.ts';
import type { Log } from '../../../lib/telemetry/log.ts';
import { inTransaction } from '../../../lib/db/transaction.ts';

/** Shorter than the lock timeout of requests (lib/db/connect.ts): their events queue behind us, and must not time out. */
const lockTimeout = '1s';

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
      const { rows } = await sql<{ made: number }>`
        SELECT create_event_partitions_of(${category}) AS made`.execute(db);
      made += rows[0]?.made ?? 0;
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
  const { rows } = await sql<{ name: string }>`
    SELECT expired_event_log_partitions(${now}) AS name`.execute(db);
  for (const { name: partition } of rows) {
    await attempt({ partition }, async () => {
      try {
        await dropPartition(db, partition, now);
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

async function dropPartition(db: Db, partition: string, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`SELECT set_config('lock_timeout', ${lockTimeout}, true)`.execute(tx);
    await sql`SELECT drop_event_log_partition(${partition}, ${now})`.execute(tx);
  });
}
