import { sql } from 'kysely';
import type { Db } from '../../../lib/db/connect.ts';
import { batchSize } from './delete-expired.ts';

/**
 * Deletes one batch of a tenant's cases that expired or were cancelled unsubmitted, 30 days after their last change, with all
 * that belongs to them but the photos. A submitted case is a medical record and stays. The database function defines the
 * age, and deletes nothing early even if `now` is ahead of its own clock.
 *
 * @returns the number of deleted cases.
 */
export async function sweepCases(db: Db, tenantId: number, now: Date): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    SELECT sweep_request_records(${tenantId}, ${now}, ${batchSize}) AS deleted`.execute(db);
  return rows[0]?.deleted ?? 0;
}
