import { Language } from '../../../contract/language.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { type PersonRow, toPerson } from '../../identity/patients/person.ts';
import { helpLinesOf } from '../../intake/ai-calls/reply-fields.ts';
import type { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { imagePath } from '../../media/images/image.schemas.ts';
import { listCasePhotos } from '../photos/case-photos.queries.ts';
import type { RecommendedAction } from '../../intake/triage/triage.schemas.ts';
import { isAnswerAvailable } from '../record/answer-available.ts';
import type { CaseImage } from '../record/case-image.schemas.ts';
import { patientStatusOf } from '../record/case-status.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { refusalsOf } from '../record/evaluate-eligibility.ts';
import { listMessages } from '../record/message.queries.ts';
import type { CaseMessage, ListedCase, MobileCase } from '../record/mobile-case.schemas.ts';
import { patientActions } from '../record/patient-actions.ts';
import { adviceOf, type AnalysedCase, isAdviceNewer } from './case-advice.ts';
import { findAnalyses, listAnamneses, listPatients } from './shown-cases.queries.ts';

export type ShowContext = Pick<Context, 'request' | 'config'> & {
  /** Whether patients of the tenant see what the AI service predicts. */
  showPredictions: boolean;
};

interface SummaryParts {
  /** Absent only where no advice needs it. */
  anamnesis: PartialAnamnesis | undefined;
  patient: PersonRow;
  messages: readonly CaseMessage[];
  analysis: AnalysedCase | undefined;
}

interface Parts extends SummaryParts {
  anamnesis: PartialAnamnesis;
  images: readonly CaseImage[];
}

/** Cases as their patient sees them, in the order given; in six statements, however many they are. */
export async function showCases(
  tx: Tx,
  context: ShowContext,
  records: readonly CaseRecord[],
): Promise<MobileCase[]> {
  if (records.length === 0) return [];
  const uuids = records.map(({ uuid }) => uuid);
  const anamneses = await listAnamneses(tx, uuids);
  const patients = await listPatients(tx, [...new Set(records.map(({ patient_id: id }) => id))]);
  const photos = await listCasePhotos(tx, uuids);
  const messages = await listMessages(tx, uuids);
  const analyses = await findAnalyses(tx, records);
  return records.map((record) =>
    toMobileCase(context, record, {
      anamnesis: required(
        anamneses.find((row) => row.case_uuid === record.uuid)?.anamnesis,
      ) as PartialAnamnesis,
      patient: required(patients.find(({ id }) => id === record.patient_id)),
      images: photos.filter(({ caseUuid }) => caseUuid === record.uuid).map(({ image }) => image),
      messages: messages.filter(({ caseUuid }) => caseUuid === record.uuid).map(({ message }) => message),
      analysis: record.ml_result_uuid === null ? undefined : analyses.get(record.ml_result_uuid),
    }),
  );
}

/** The same for a list that shows neither answers nor photos: only cases with red flags have advice, which needs them. */
export async function summarizeCases(
  tx: Tx,
  context: ShowContext,
  records: readonly CaseRecord[],
): Promise<ListedCase[]> {
  if (records.length === 0) return [];
  const flagged = records.filter(({ red_flags: flags }) => flags.length > 0);
  const anamneses =
    flagged.length === 0
      ? []
      : await listAnamneses(
          tx,
          flagged.map(({ uuid }) => uuid),
        );
  const patients = await listPatients(tx, [...new Set(records.map(({ patient_id: id }) => id))]);
  const messages = await listMessages(
    tx,
    records.map(({ uuid }) => uuid),
  );
  const analyses = await findAnalyses(tx, flagged);
  return records.map((record) =>
    toSummary(context, record, {
      anamnesis: (anamneses.find((row) => row.case_uuid === record.uuid)?.anamnesis ?? undefined) as
        | PartialAnamnesis
        | undefined,
      patient: required(patients.find(({ id }) => id === record.patient_id)),
      messages: messages.filter(({ caseUuid }) => caseUuid === record.uuid).map(({ message }) => message),
      analysis: record.ml_result_uuid === null ? undefined : analyses.get(record.ml_result_uuid),
    }),
  );
}

function required<T>(found: T | null | undefined): T {
  if (found === undefined || found === null) throw new Error('a case has a patient and answers');
  return found;
}

function toMobileCase(context: ShowContext, record: CaseRecord, parts: Parts): MobileCase {
  const { anamnesis, images, analysis } = parts;
  return {
    ...toSummary(context, record, parts),
    anamnesis: withImages(anamnesis, images),
    images: [...images],
    predictions: context.showPredictions ? (analysis?.predictions ?? null) : null,
  };
}

function toSummary(
  { request, config }: ShowContext,
  record: CaseRecord,
  { anamnesis, patient, messages, analysis }: SummaryParts,
): Omit<MobileCase, 'anamnesis' | 'images' | 'predictions'> {
  const advice = adviceOf(record, anamnesis, analysis, request.language);
  return {
    uuid: record.uuid,
    id: record.id,
    version: record.version,
    patient_status: patientStatusOf(record),
    ...(record.status === 'ineligible' && { refused_for: refusalsOf(record.eligibility_reasons) }),
    allowed_actions: patientActions(record, request.receivedAt),
    patient: toPerson(patient, request.receivedAt),
    language: Language.parse(record.language),
    advice: advice && { ...advice, ...helpLinesOf(config) },
    messages: [...messages],
    analysis_state: record.analysis_state,
    // A case that was reopened has been closed before: that answer is still there.
    answer_available: isAnswerAvailable(record),
    answer_action: isAnswerAvailable(record) ? (record.answer_action as RecommendedAction | null) : null,
    advice_is_newer: advice !== null && isAdviceNewer(record),
    answer_read_at: record.read_at,
    batch_uuid: record.batch_uuid,
    created_at: record.created_at,
    submitted_at: record.submitted_at,
    updated_at: record.updated_at,
  };
}

/** The answers name the photos of the case, and no others. */
export function withImages(anamnesis: PartialAnamnesis, images: readonly CaseImage[]): PartialAnamnesis {
  const places = anamnesis.locations?.length ?? 0;
  const named = images.map(({ uuid, kind, location_index: place, widthPx, heightPx, contentType }) => ({
    url: imagePath(uuid),
    ...(kind !== null && { kind }),
    ...(place !== null && place < places && { locationIndex: place }),
    contentType: contentType === 'image/png' ? ('image_png' as const) : ('image_jpeg' as const),
    widthPx,
    heightPx,
  }));
  return { ...anamnesis, ...(named.length > 0 && { images: named }) };
}
