import { sql } from 'kysely';
import type { Db } from '../../../lib/db/connect.ts';
import { batchSize } from './delete-over.ts';

export interface SweptAiCalls {
  /** Calls deleted: two years after they were made. */
  deleted: number;
  /** Calls whose answers of the patient were removed: 90 days after they were made. */
  blanked: number;
}

/**
 * One batch of a tenant's AI calls that belong to no case (migration `sweep-ai-calls` has the ages). The database
 * deletes nothing early, even if `now` is later than its own time.
 */
export async function sweepAiCalls(db: Db, tenantId: number, now: Date): Promise<SweptAiCalls> {
  const { rows } = await sql<SweptAiCalls>`
    SELECT * FROM sweep_ml_diagnosis_results(${tenantId}, ${now}, ${batchSize})`.execute(db);
  return rows[0] ?? { deleted: 0, blanked: 0 };
}
