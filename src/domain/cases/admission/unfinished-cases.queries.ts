import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';

/** Of cases on hold only those whose patient has replied; the index `request_records_replied` has them. */
const replied = sql<boolean>`status = 'on_hold' AND coalesce(eligibility_outcome, 'undetermined') = 'undetermined'`;

/**
 * Cases that wait for their analysis since `before`, emergencies since `emergenciesBefore`: of a case that was opened again
 * the time counts from then on. `submitted_at`, which is no later, is what the index has.
 */
export async function findUnanalysed(
  tx: Tx,
  {
    tenantId,
    before,
    emergenciesBefore,
    limit,
  }: { tenantId: number; before: Date; emergenciesBefore: Date; limit: number },
): Promise<{ uuid: string }[]> {
  const { rows } = await sql<{ uuid: string }>`
    (SELECT uuid FROM request_records
     WHERE tenant_id = ${tenantId} AND status = 'submitted' AND analysis_state = 'pending'
       AND submitted_at <= ${emergenciesBefore}
       AND status_changed_at <= ${emergenciesBefore}
       AND (urgency = 'emergency' OR status_changed_at <= ${before})
     ORDER BY submitted_at LIMIT ${limit})
    UNION ALL
    (SELECT uuid FROM request_records
     WHERE tenant_id = ${tenantId} AND ${replied} AND analysis_state = 'pending'
       AND updated_at <= ${emergenciesBefore}
       AND (urgency = 'emergency' OR updated_at <= ${before})
     ORDER BY updated_at LIMIT ${limit})`.execute(tx);
  return rows;
}

/** Analysed cases that wait for their judgement since `before`: the longest unjudged first, so that none is overtaken for ever. */
export async function findUnjudged(
  tx: Tx,
  { tenantId, before, limit }: { tenantId: number; before: Date; limit: number },
): Promise<{ uuid: string }[]> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT uuid FROM (
      SELECT uuid, coalesce(eligibility_checked_at, updated_at) AS since FROM request_records
      WHERE tenant_id = ${tenantId} AND status = 'submitted' AND analysis_state IN ('done', 'degraded')
      UNION ALL
      SELECT uuid, coalesce(eligibility_checked_at, updated_at) FROM request_records
      WHERE tenant_id = ${tenantId} AND ${replied} AND analysis_state IN ('done', 'degraded')) AS unjudged
    WHERE since <= ${before}
    ORDER BY since LIMIT ${limit}`.execute(tx);
  return rows;
}
