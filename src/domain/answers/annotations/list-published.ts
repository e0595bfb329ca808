import { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { PatientAnnotations } from './patient-annotation.schemas.ts';
import type { AnswerRow } from './annotation.queries.ts';
import { type Authors, findAuthors } from './list-annotations.ts';

type PatientAnnotation = PatientAnnotations['annotations'][number];
type PublishedRow = AnswerRow & { signed_at: Date; published_at: Date };

/**
 * The published answers to a case as its patient reads them, the newest first. Where the one that counts was cancelled there are
 * none until the next is published: what it had replaced would be read as the answer.
 */
export async function listPublished(tx: Tx, caseUuid: string): Promise<PatientAnnotation[]> {
  const rows = await tx
    .selectFrom('dermatologist_annotations')
    .selectAll()
    .where('case_uuid', '=', caseUuid)
    .where('published_at', 'is not', null)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const replaced = new Set(rows.map(({ amends_uuid: uuid }) => uuid));
  const authors = await findAuthors(
    tx,
    rows.map(({ physician_id: id }) => id),
  );
  const answers = rows.filter(isReadable).map((row) => toPatient(row, replaced.has(row.uuid), authors));
  return answers.some(({ status }) => status === 'final') ? answers : [];
}

/** What was entered in error is not. */
const isReadable = (row: AnswerRow): row is PublishedRow =>
  row.status !== 'cancelled' && row.signed_at !== null && row.published_at !== null;

/** Each member by name: a new column is not shown before someone has decided that patients may read it. */
function toPatient(row: PublishedRow, isReplaced: boolean, authors: Authors): PatientAnnotation {
  return {
    uuid: row.uuid,
    case_uuid: row.case_uuid,
    // One that a signed answer replaces counts until that one is published.
    status: isReplaced ? 'amended' : 'final',
    version: row.version,
    author: { display_name: authors.get(row.physician_id)?.display_name ?? '–' },
    language: Language.parse(row.language),
    diagnoses: row.diagnoses as unknown as PatientAnnotation['diagnoses'],
    severity: row.severity,
    recommended_action: row.recommended_action as PatientAnnotation['recommended_action'],
    recommendation_text: row.recommendation_text,
    treatments: row.treatments as unknown as PatientAnnotation['treatments'],
    follow_up: row.follow_up as PatientAnnotation['follow_up'],
    referral: row.referral as PatientAnnotation['referral'],
    patient_message: row.patient_message,
    image_quality_ok: row.image_quality_ok === true,
    rendered_text: row.rendered_text ?? '',
    amends_uuid: row.amends_uuid,
    signed_at: row.signed_at,
    published_at: row.published_at,
  };
}
