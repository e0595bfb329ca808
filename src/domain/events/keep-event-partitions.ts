import { sql } from 'kysely';
import type { Db } from '../../lib/db/connect.ts';

/**
 * Makes the partitions of the event log for the current period and the two after it, with the rights of the tables'
 * owner; events that came without a partition are moved into theirs.
 *
 * @returns how many are new.
 */
export async function keepEventPartitions(db: Db): Promise<number> {
  const { rows } = await sql<{ made: number }>`SELECT keep_event_log_partitions() AS made`.execute(db);
  return rows[0]?.made ?? 0;
}
