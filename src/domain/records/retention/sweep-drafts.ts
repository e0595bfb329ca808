import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import { batchSize } from './delete-expired.ts';

/** A physician who gets the case back within this time goes on with the draft. */
const draftsMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Deletes one batch of drafts of answers, cancelled ones as well, that have not changed for seven days and whose authors no
 * longer have the case.
 * @returns the number of deleted drafts.
 */
export async function sweepDrafts(tx: Tx, tenantId: number, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM dermatologist_annotations WHERE uuid = ANY (ARRAY(
      SELECT d.uuid FROM dermatologist_annotations d
        JOIN request_records r ON r.tenant_id = d.tenant_id AND r.uuid = d.case_uuid
      WHERE d.tenant_id = ${tenantId} AND d.signed_at IS NULL AND d.updated_at <= ${new Date(now.getTime() - draftsMs)}
        AND NOT (r.assigned_physician_id IS NOT DISTINCT FROM d.physician_id
          AND r.status IN ('queued', 'in_review', 'on_hold'))
      ORDER BY d.updated_at LIMIT ${batchSize} FOR UPDATE OF d SKIP LOCKED))`.execute(tx);
  return Number(numAffectedRows);
}
