import { sql } from 'kysely';
import { z } from 'zod';
import type { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { physicianName } from '../../identity/physicians/display-name.ts';
import { PredictionConfidence } from '../../intake/diagnoses/diagnosis.schemas.ts';
import type { RecommendedAction } from '../../intake/triage/triage.schemas.ts';
import { type PersonRow, personColumns } from '../../identity/patients/person.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import type { CaseSummary, PhysicianRef } from '../../cases/record/case-summary.schemas.ts';

/** By `patients.id`. */
export async function findPersons(tx: Tx, records: readonly CaseRecord[]): Promise<Map<number, PersonRow>> {
  const rows = await tx
    .selectFrom('patients')
    .select(personColumns)
    .where('id', '=', sql<number>`ANY (${[...new Set(records.map(({ patient_id: id }) => id))]}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** By `physicians.id`. */
export async function findPhysicians(
  tx: Tx,
  records: readonly CaseRecord[],
): Promise<Map<number, PhysicianRef>> {
  const ids = new Set(records.flatMap(({ assigned_physician_id: id }) => id ?? []));
  if (ids.size === 0) return new Map();
  const rows = await tx
    .selectFrom('physicians')
    .select(['id', 'uuid', 'settings'])
    .where('id', '=', sql<number>`ANY (${[...ids]}::integer[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, { uuid: row.uuid, display_name: physicianName(row) }]));
}

/** By the UUID of the case. */
export async function countPhotos(tx: Tx, records: readonly CaseRecord[]) {
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
export async function findTopPredictions(tx: Tx, records: readonly CaseRecord[], language: Language) {
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

type Reasons = NonNullable<CaseSummary['diagnosis']>['contradiction_reasons'];

const Stated = z.array(z.object({ text: z.string(), is_primary: z.boolean() }));

/** By the UUID of the signed answer. */
export async function findPrimaryDiagnoses(tx: Tx, records: readonly CaseRecord[]) {
  const uuids = records.flatMap(({ final_annotation_uuid: uuid }) => uuid ?? []);
  if (uuids.length === 0) return new Map<string, CaseSummary['diagnosis']>();
  const rows = await tx
    .selectFrom('dermatologist_annotations')
    .select([
      'uuid',
      'diagnoses',
      'primary_disease_id',
      'primary_code',
      'recommended_action',
      'contradiction_reasons',
    ])
    .where('uuid', '=', sql<string>`ANY (${uuids}::uuid[])`)
    .execute();
  return new Map<string, CaseSummary['diagnosis']>(
    rows.map((row) => {
      const name = Stated.catch([])
        .parse(row.diagnoses)
        .find((each) => each.is_primary)?.text;
      return [
        row.uuid,
        name === undefined
          ? null
          : {
              disease_id: row.primary_disease_id,
              code: row.primary_code,
              name,
              recommended_action: row.recommended_action as RecommendedAction | null,
              contradiction_reasons: row.contradiction_reasons as Reasons,
            },
      ];
    }),
  );
}
