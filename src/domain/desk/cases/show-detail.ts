import { z } from 'zod';
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
import { countOtherCases, findAnalysisResult, listTimeline } from './case-detail.queries.ts';
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
    history_count: await countOtherCases(tx, record),
    publish_at: record.status === 'answered' ? record.publish_at : null,
  };
}

const SafetyNetOf = z.object({ added_flags: z.array(z.string()), disagreement: z.boolean() });

async function findAnalysis(tx: Tx, record: CaseRecord): Promise<CaseDetail['analysis']> {
  if (record.ml_result_uuid === null) return null;
  const row = await findAnalysisResult(tx, record.ml_result_uuid);
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

async function readTimeline(tx: Tx, record: CaseRecord): Promise<CaseDetail['timeline']> {
  const rows = await listTimeline(tx, record.uuid);
  return rows.toReversed().map((row) => {
    const { at, action, actor_kind: by, is_patient: isPatient, physician_id: id, settings } = row;
    const kind = by !== 'user' ? ('system' as const) : isPatient ? ('patient' as const) : ('staff' as const);
    const name = kind === 'staff' && id !== null ? physicianName({ id, settings }) : null;
    return { at, action, actor: { kind, display_name: name } };
  });
}
