import { sql } from 'kysely';
import { z } from 'zod';
import { auditEvents } from '../../../contract/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { listAnnotations } from '../../answers/annotations/list-annotations.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import { physicianName } from '../../identity/physicians/display-name.ts';
import type { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { readAnamnesis } from '../../cases/record/analysis.queries.ts';
import { CaseAnalysis } from '../../cases/record/case-analysis.ts';
import { isHolder } from '../../cases/record/visible-cases.ts';
import { adviceOf } from '../../cases/patient/case-advice.ts';
import { withImages } from '../../cases/patient/show-cases.ts';
import { reasonText } from '../../cases/admission/reason-text.ts';
import { listMessages } from '../../cases/record/message.queries.ts';
import { listCasePhotos } from '../../cases/photos/case-photos.queries.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import type { CaseDetail } from './case-detail.schemas.ts';
import { type ShowStaff, showSummaries } from './show-summaries.ts';
import { staffActions } from '../../cases/record/staff-actions.ts';

/** A case with all that staff need to work on it, as it stands in this transaction. */
export async function showDetail(
  tx: Tx,
  staff: Staff,
  record: CaseRecord,
  at: ShowStaff,
): Promise<CaseDetail> {
  const [summary] = await showSummaries(tx, at, [record]);
  if (summary === undefined) throw new Error('a record has a summary');
  const anamnesis: PartialAnamnesis = await readAnamnesis(tx, record);
  const photos = await listCasePhotos(tx, [record.uuid]);
  const images = photos.map(({ image }) => image);
  const analysis = await findAnalysis(tx, record);
  const messages = await listMessages(tx, [record.uuid]);
  const inHand = isHolder(staff, record, at.now) ? ['annotate'] : [];
  return {
    ...summary,
    anamnesis: withImages(anamnesis, images),
    anamnesis_revision: record.anamnesis_revision,
    images,
    flag_details: adviceOf(record, anamnesis, analysis ?? undefined, at.language)?.flagDetails ?? [],
    analysis,
    eligibility: {
      outcome: record.eligibility_outcome,
      reasons: record.eligibility_reasons.map((code) => ({ code, text: reasonText(code, at.language) })),
      checked_at: record.eligibility_checked_at,
    },
    annotations: await listAnnotations(tx, staff, [record.uuid]),
    messages: messages.map(({ message }) => message),
    allowed_actions: [...staffActions(staff, record, at.now), ...inHand],
    timeline: await readTimeline(tx, record),
    history_count: await countOthers(tx, record),
    publish_at: record.status === 'answered' ? record.publish_at : null,
  };
}

const SafetyNetOf = z.object({ added_flags: z.array(z.string()), disagreement: z.boolean() });

async function findAnalysis(tx: Tx, record: CaseRecord): Promise<CaseDetail['analysis']> {
  if (record.ml_result_uuid === null) return null;
  const row = await tx
    .selectFrom('ml_diagnosis_results')
    .select(['answer', 'model_version', 'created_at', 'safety_net', 'anamnesis_revision'])
    .where('uuid', '=', record.ml_result_uuid)
    .executeTakeFirst();
  const answer = CaseAnalysis.safeParse(row?.answer);
  if (row === undefined || !answer.success) return null;
  const { predictions, red_flags, triage } = answer.data;
  return {
    predictions,
    red_flags,
    triage,
    model_version: row.model_version,
    analysed_at: row.created_at,
    degraded: row.anamnesis_revision !== record.anamnesis_revision || record.analysis_state === 'degraded',
    safety_net: SafetyNetOf.nullable().catch(null).parse(row.safety_net),
  };
}

interface TimelineRow {
  at: Date;
  action: string;
  actor_kind: string;
  is_patient: boolean;
  physician_id: number | null;
  settings: unknown;
}

/**
 * Changes, not reads: reads are in the audit trail. The patient is the account of the case, whatever role it has by now. After
 * its erasure, the one who made the case in the app; of a case that staff made, an erased account that did not make it.
 */
async function readTimeline(tx: Tx, record: CaseRecord): Promise<CaseDetail['timeline']> {
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
    WHERE e.case_uuid = ${record.uuid} AND e.category = 'case' AND e.outcome = 'success'
    ORDER BY e.at DESC, e.id DESC LIMIT 50`.execute(tx);
  return rows.toReversed().map((row) => {
    const { at, action, actor_kind: by, is_patient: isPatient, physician_id: id, settings } = row;
    const kind = by !== 'user' ? ('system' as const) : isPatient ? ('patient' as const) : ('staff' as const);
    const name = kind === 'staff' && id !== null ? physicianName({ id, settings }) : null;
    return { at, action, actor: { kind, display_name: name } };
  });
}

/** Other submitted cases of the same patient. */
async function countOthers(tx: Tx, { patient_id: patient, uuid }: CaseRecord): Promise<number> {
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
