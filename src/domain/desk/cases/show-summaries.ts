import { sql } from 'kysely';
import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import { physicianName } from '../../identity/physicians/display-name.ts';
import { PredictionConfidence } from '../../intake/diagnoses/diagnosis.schemas.ts';
import { type PersonRow, personColumns, toPerson } from '../../identity/patients/person.ts';
import type { CaseRecord } from '../../cases/record/apply-transition.ts';
import { waitingStatuses } from '../../cases/record/case-status.ts';
import type { CaseSummary, PhysicianRef } from '../../cases/record/case-summary.schemas.ts';

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

async function findPersons(tx: Tx, records: readonly CaseRecord[]): Promise<Map<number, PersonRow>> {
  const rows = await tx
    .selectFrom('patients')
    .select(personColumns)
    .where('id', '=', sql<number>`ANY (${[...new Set(records.map(({ patient_id: id }) => id))]}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** By `physicians.id`. */
async function findPhysicians(tx: Tx, records: readonly CaseRecord[]): Promise<Map<number, PhysicianRef>> {
  const ids = new Set(records.flatMap(({ assigned_physician_id: id }) => id ?? []));
  if (ids.size === 0) return new Map();
  const rows = await tx
    .selectFrom('physicians')
    .select(['id', 'uuid', 'settings'])
    .where('id', '=', sql<number>`ANY (${[...ids]}::integer[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, { uuid: row.uuid, display_name: physicianName(row) }]));
}

async function countPhotos(tx: Tx, records: readonly CaseRecord[]) {
  const { rows } = await sql<{ case_uuid: string; count: number; first: string }>`
    SELECT a.case_uuid, count(*)::integer AS count, (array_agg(i.uuid ORDER BY a.position))[1] AS first
    FROM case_images a JOIN images i ON i.tenant_id = a.tenant_id AND i.uuid = a.image_uuid
    WHERE a.case_uuid = ANY (${records.map(({ uuid }) => uuid)}::uuid[]) AND a.removed_at IS NULL
      AND i.state = 'stored' AND i.deleted_at IS NULL
    GROUP BY a.case_uuid`.execute(tx);
  return new Map(rows.map((row) => [row.case_uuid, row]));
}

const Top = z.object({ disease: z.string(), probability: z.number(), confidence: PredictionConfidence });

/** By the UUID of the AI service's result. */
async function findTopPredictions(tx: Tx, records: readonly CaseRecord[], language: Language) {
  const uuids = records.flatMap(({ ml_result_uuid: uuid }) => uuid ?? []);
  if (uuids.length === 0) return new Map<string, CaseSummary['top_prediction']>();
  const { rows } = await sql<{ uuid: string; top: unknown; names: Partial<Record<Language, string>> | null }>`
    SELECT m.uuid, m.answer #> '{predictions,0}' AS top, d.names
    FROM ml_diagnosis_results m LEFT JOIN disease_catalog d ON d.slug = m.answer #>> '{predictions,0,disease}'
    WHERE m.uuid = ANY (${uuids}::uuid[])`.execute(tx);
  return new Map(
    rows.map(({ uuid, top, names }) => {
      const { data } = Top.safeParse(top);
      return [uuid, data === undefined ? null : { ...data, name: names?.[language] ?? names?.en ?? null }];
    }),
  );
}

const Stated = z.array(z.object({ text: z.string(), is_primary: z.boolean() }));

/** By the UUID of the signed answer. */
async function findPrimaryDiagnoses(tx: Tx, records: readonly CaseRecord[]) {
  const uuids = records.flatMap(({ final_annotation_uuid: uuid }) => uuid ?? []);
  if (uuids.length === 0) return new Map<string, CaseSummary['diagnosis']>();
  const rows = await tx
    .selectFrom('dermatologist_annotations')
    .select(['uuid', 'diagnoses', 'primary_disease_id', 'primary_code'])
    .where('uuid', '=', sql<string>`ANY (${uuids}::uuid[])`)
    .execute();
  return new Map(
    rows.map((row) => {
      const name = Stated.catch([])
        .parse(row.diagnoses)
        .find((each) => each.is_primary)?.text;
      return [
        row.uuid,
        name === undefined ? null : { disease_id: row.primary_disease_id, code: row.primary_code, name },
      ];
    }),
  );
}
