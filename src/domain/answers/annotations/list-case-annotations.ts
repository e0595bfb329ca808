import type { AccountActor } from '../../../contract/actor.ts';
import { Language } from '../../../contract/language.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { findOwnCase } from '../../cases/record/own-case.ts';
import { type AnswerRow, findPublished } from './annotation.queries.ts';
import { type Authors, findAuthors } from './author.queries.ts';
import type { PatientAnnotations } from './patient-annotation.schemas.ts';

type PatientAnnotation = PatientAnnotations['annotations'][number];
type PublishedRow = AnswerRow & { signed_at: Date; published_at: Date };

/**
 * What physicians have answered to a case of the caller's own, as far as it is published.
 * @throws {Problem} `case_not_found`
 */
export async function listCaseAnnotations(
  { db, audit }: Context,
  actor: AccountActor,
  uuid: string,
): Promise<PatientAnnotations> {
  return await inTenant(db, actor.tenantId, async (tx) => {
    const record = await findOwnCase(tx, actor, uuid);
    const annotations = await listPublished(tx, record.uuid);
    await audit.succeeded(tx, {
      subject: { kind: 'case', uuid: record.uuid },
      caseUuid: record.uuid,
      patientId: record.patient_id,
      detail: { annotations: annotations.length },
    });
    return { case_uuid: record.uuid, annotations };
  });
}

/**
 * The published answers to a case as its patient reads them, the newest first. Where the one that counts was cancelled there are
 * none until the next is published: what it had replaced would be read as the answer.
 */
async function listPublished(tx: Tx, caseUuid: string): Promise<PatientAnnotation[]> {
  const rows = await findPublished(tx, caseUuid);
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
    severity: row.severity as PatientAnnotation['severity'],
    recommended_action: row.recommended_action as PatientAnnotation['recommended_action'],
    recommendation_text: row.recommendation_text,
    treatments: row.treatments as unknown as PatientAnnotation['treatments'],
    follow_up: row.follow_up as PatientAnnotation['follow_up'],
    referral: row.referral as PatientAnnotation['referral'],
    patient_message: row.patient_message,
    urgency_explanation: row.urgency_explanation,
    image_quality_ok: row.image_quality_ok === true,
    rendered_text: row.rendered_text ?? '',
    amends_uuid: row.amends_uuid,
    signed_at: row.signed_at,
    published_at: row.published_at,
  };
}
