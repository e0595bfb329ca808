import { sql } from 'kysely';
import type { Db } from '../../../lib/db/connect.ts';
import { batchSize } from './delete-expired.ts';

export interface SweptAiCalls {
  /** Calls deleted, two years after they were made. */
  deleted: number;
  /** Calls whose patient answers were removed, 90 days after they were made. */
  blanked: number;
}

/**
 * Sweeps one batch of a tenant's AI calls that belong to no case. The database function defines the ages, and deletes
 * nothing early even if `now` is ahead of its own clock.
 *
 * @returns the number of deleted and of blanked calls.
 */
export async function sweepAiCalls(db: Db, tenantId: number, now: Date): Promise<SweptAiCalls> {
  const { rows } = await sql<SweptAiCalls>`
    SELECT * FROM sweep_ml_diagnosis_results(${tenantId}, ${now}, ${batchSize})`.execute(db);
  return rows[0] ?? { deleted: 0, blanked: 0 };
}
