import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { Staff } from '../../identity/groups/staff.ts';

/**
 * Of these patients, those of whom the caller has or had a case, or has signed an answer: the relation that opens a patient's
 * history. Nobody has it to an account of their own.
 * @param patientIds `patients.id`
 */
export async function patientsInCare(
  tx: Tx,
  { actor, physician }: Staff,
  patientIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (physician === null || patientIds.length === 0) return new Set();
  const { rows } = await sql<{ patient_id: number }>`
    SELECT DISTINCT r.patient_id FROM request_records r
    WHERE r.patient_id = ANY (${patientIds}::bigint[]) AND r.account_user_id IS DISTINCT FROM ${actor.id}
      AND (r.assigned_physician_id = ${physician.id} OR EXISTS (
        SELECT FROM dermatologist_annotations signed
        WHERE signed.tenant_id = r.tenant_id AND signed.case_uuid = r.uuid
          AND signed.physician_id = ${physician.id} AND signed.signed_at IS NOT NULL))`.execute(tx);
  return new Set(rows.map((row) => row.patient_id));
}
