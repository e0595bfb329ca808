import { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import { toPerson } from '../../identity/patients/person.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { waitingStatuses } from '../../cases/record/case-status.ts';
import type { CaseSummary } from '../../cases/record/case-summary.schemas.ts';
import {
  countPhotos,
  findPersons,
  findPhysicians,
  findPrimaryDiagnoses,
  findTopPredictions,
} from './case-summary.queries.ts';

export interface ShowStaff {
  /** Of the names of diseases. */
  language: Language;
  now: Date;
  /** Whose names are left out: nobody needs them before taking a case. */
  hideNames?: boolean | ((record: CaseRecord) => boolean);
}

/** Admins read every name; a physician none of a case that only waits in the own lanes. */
export const isNamelessTo =
  ({ actor, physician }: Staff) =>
  ({ status, assigned_physician_id: id }: CaseRecord): boolean =>
    actor.role !== 'admin' && status === 'queued' && id !== physician?.id;

/**
 * Cases as staff see them in lists, in the order given; in five statements, however many they are. Their number is no part of
 * the statements' texts, of which PostgreSQL stores a plan each.
 */
export async function showSummaries(
  tx: Tx,
  { language, now, hideNames = false }: ShowStaff,
  records: readonly CaseRecord[],
): Promise<CaseSummary[]> {
  if (records.length === 0) return [];
  const patients = await findPersons(tx, records);
  const physicians = await findPhysicians(tx, records);
  const photos = await countPhotos(tx, records);
  const tops = await findTopPredictions(tx, records, language);
  const diagnoses = await findPrimaryDiagnoses(tx, records);
  const isNameless = (record: CaseRecord) => (typeof hideNames === 'boolean' ? hideNames : hideNames(record));
  return records.map((record): CaseSummary => {
    const row = patients.get(record.patient_id);
    if (row === undefined) throw new Error('a case has a patient');
    const patient = toPerson(row, now);
    const photo = photos.get(record.uuid);
    return {
      ...statusOf(record, now),
      patient: isNameless(record) ? { ...patient, display_name: null } : patient,
      assigned_physician: physicians.get(record.assigned_physician_id ?? 0) ?? null,
      top_prediction: tops.get(record.ml_result_uuid ?? '') ?? null,
      diagnosis: diagnoses.get(record.final_annotation_uuid ?? '') ?? null,
      image_count: photo?.count ?? 0,
      thumbnail_path: photo === undefined ? null : `${photo.first}?variant=thumbnail`,
    };
  });
}

function statusOf(record: CaseRecord, now: Date) {
  const { status, due_at: due } = record;
  return {
    uuid: record.uuid,
    id: record.id,
    version: record.version,
    status,
    pending_status: record.pending_status,
    status_reason: record.status_reason,
    triage_level: record.triage_level,
    urgency: record.urgency,
    has_red_flags: record.has_red_flags,
    red_flags: record.red_flags,
    language: Language.parse(record.language),
    pool: record.pool,
    batch_uuid: record.batch_uuid,
    submitted_at: record.submitted_at,
    due_at: due,
    overdue: due !== null && due < now && waitingStatuses.includes(status),
    lease_expires_at: status === 'in_review' ? record.lease_expires_at : null,
    analysis_state: record.analysis_state,
    eligibility_outcome: record.eligibility_outcome,
    audit_state: record.audit_state,
    notified: record.notified_at !== null,
    created_at: record.created_at,
    updated_at: record.updated_at,
  };
}
