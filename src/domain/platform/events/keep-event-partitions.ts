import { sql } from 'kysely';
import type { Db } from '../../../lib/db/connect.ts';

/**
 * Makes the partitions of the event log for the current period, the two after it and those of events that came without
 * one, which are moved into theirs; with the rights of the tables' owner.
 *
 * @returns how many are new.
 */
export async function keepEventPartitions(db: Db): Promise<number> {
  const { rows } = await sql<{ made: number }>`SELECT create_event_log_partitions() AS made`.execute(db);
  return rows[0]?.made ?? 0;
}
