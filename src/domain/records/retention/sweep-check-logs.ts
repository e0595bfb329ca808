import { sql } from 'kysely';
import type { Db } from '../../../lib/db/connect.ts';
import { batchSize } from './delete-expired.ts';

/**
 * Deletes one batch of a tenant's recorded checks, two years after they were made. The database function defines the age,
 * and deletes nothing early even if `now` is ahead of its own clock.
 *
 * @returns the number of deleted rows.
 */
export async function sweepCheckLogs(db: Db, tenantId: number, now: Date): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    SELECT sweep_user_check_logs(${tenantId}, ${now}, ${batchSize}) AS deleted`.execute(db);
  return rows[0]?.deleted ?? 0;
}
