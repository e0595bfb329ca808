import { sql } from 'kysely';
import type { EventCategory } from '../../../contract/audit.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';

/** Shorter than the lock timeout of requests (lib/db/connect.ts): their events queue behind us, and must not time out. */
const lockTimeout = '1s';

/** @returns how many are new. */
export async function createPartitionsOf(db: Db, category: EventCategory): Promise<number> {
  const { rows } = await sql<{ made: number }>`
    SELECT create_event_partitions_of(${category}) AS made`.execute(db);
  return rows[0]?.made ?? 0;
}

/** The names of the partitions that lie wholly beyond the retention of their category. */
export async function findExpiredPartitions(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT expired_event_log_partitions(${now}) AS name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Sets the lock timeout of the rest of the transaction. */
export async function dropPartition(tx: Tx, partition: string, now: Date): Promise<void> {
  await sql`SELECT set_config('lock_timeout', ${lockTimeout}, true)`.execute(tx);
  await sql`SELECT drop_event_log_partition(${partition}, ${now})`.execute(tx);
}
