import { sql } from 'kysely';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { batchSize } from './expired-rows.queries.ts';

/**
 * Deletes one batch of drafts of answers, cancelled ones as well, that have not changed since `cutoff` and whose authors no
 * longer have the case.
 * @returns the number of deleted drafts.
 */
export async function sweepDrafts(tx: Tx, tenantId: number, cutoff: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM dermatologist_annotations WHERE uuid = ANY (ARRAY(
      SELECT d.uuid FROM dermatologist_annotations d
        JOIN request_records r ON r.tenant_id = d.tenant_id AND r.uuid = d.case_uuid
      WHERE d.tenant_id = ${tenantId} AND d.signed_at IS NULL AND d.updated_at <= ${cutoff}
        AND NOT (r.assigned_physician_id IS NOT DISTINCT FROM d.physician_id
          AND r.status IN ('queued', 'in_review', 'on_hold'))
      ORDER BY d.updated_at LIMIT ${batchSize} FOR UPDATE OF d SKIP LOCKED))`.execute(tx);
  return Number(numAffectedRows);
}

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
