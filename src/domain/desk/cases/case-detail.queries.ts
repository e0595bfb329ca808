import { sql } from 'kysely';
import { auditEvents } from '../../../contract/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';

export interface AnalysisResultRow {
  answer: unknown;
  model_version: string | null;
  created_at: Date;
  safety_net: unknown;
  anamnesis_revision: number | null;
}

export async function findAnalysisResult(tx: Tx, uuid: string): Promise<AnalysisResultRow | undefined> {
  return await tx
    .selectFrom('ml_diagnosis_results')
    .select(['answer', 'model_version', 'created_at', 'safety_net', 'anamnesis_revision'])
    .where('uuid', '=', uuid)
    .executeTakeFirst();
}

export interface TimelineRow {
  at: Date;
  action: string;
  actor_kind: string;
  is_patient: boolean;
  physician_id: number | null;
  settings: unknown;
}

/**
 * Changes, not reads: reads are in the audit trail. The last 50, the newest first. The patient is the account of the case,
 * whatever role it has by now. After its erasure, the one who made the case in the app; of a case that staff made, an erased
 * account that did not make it.
 */
export async function listTimeline(tx: Tx, caseUuid: string): Promise<TimelineRow[]> {
  const { rows } = await sql<TimelineRow>`
    SELECT e.at, e.action, e.actor_kind, p.id AS physician_id, p.settings,
      coalesce(CASE
        WHEN c.account_user_id IS NOT NULL THEN e.actor_user_id = c.account_user_id
        WHEN c.source = 'mobile' THEN e.actor_user_id = made.actor_user_id
        ELSE u.id IS NULL AND e.actor_user_id IS DISTINCT FROM made.actor_user_id
      END, false) AS is_patient
    FROM event_logs e JOIN request_records c ON c.tenant_id = e.tenant_id AND c.uuid = e.case_uuid
    LEFT JOIN users u ON u.id = e.actor_user_id LEFT JOIN physicians p ON p.user_id = u.id
    LEFT JOIN LATERAL (
      SELECT m.actor_user_id FROM event_logs m
      WHERE m.case_uuid = c.uuid AND m.category = 'case' AND m.action = ${auditEvents.caseCreated.success}
        AND m.outcome = 'success'
      ORDER BY m.at, m.id LIMIT 1
    ) made ON true
    WHERE e.case_uuid = ${caseUuid} AND e.category = 'case' AND e.outcome = 'success'
    ORDER BY e.at DESC, e.id DESC LIMIT 50`.execute(tx);
  return rows;
}

/** Other submitted cases of the same patient. */
export async function countOtherCases(tx: Tx, { patient_id: patient, uuid }: CaseRecord): Promise<number> {
  const { count } = await tx
    .selectFrom('request_records')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('patient_id', '=', patient)
    .where('uuid', '!=', uuid)
    .where('submitted_at', 'is not', null)
    .where('erased_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}
