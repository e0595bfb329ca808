import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { Position } from '../../../lib/paging/cursor.ts';
import { personColumns } from '../../identity/patients/person.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { AnalysedCase } from './case-advice.ts';

/** The cases of an account, the newest first. @param after `created_at` and `id` of the last one of the page before. */
export async function listOwnCases(
  tx: Tx,
  accountId: number,
  {
    patientUuid,
    after = [],
    limit,
  }: { patientUuid: string | undefined; after: Position | undefined; limit: number },
): Promise<CaseRecord[]> {
  const [at, id] = after;
  return await tx
    .selectFrom('request_records as record')
    .selectAll('record')
    .where('record.account_user_id', '=', accountId)
    .where('record.erased_at', 'is', null)
    .$if(patientUuid !== undefined, (query) =>
      query.where('record.patient_id', '=', (eb) =>
        eb
          .selectFrom('patients')
          .select('id')
          .where('uuid', '=', patientUuid ?? ''),
      ),
    )
    .$if(at !== undefined, (query) =>
      query.where(sql<boolean>`(record.created_at, record.id) < (${at}::timestamptz, ${id}::bigint)`),
    )
    .orderBy('record.created_at', 'desc')
    .orderBy('record.id', 'desc')
    .limit(limit)
    .execute();
}

/** The current answers of cases. */
export async function listAnamneses(tx: Tx, caseUuids: readonly string[]) {
  return await tx
    .selectFrom('request_records as record')
    .innerJoin('request_anamneses as said', (join) =>
      join
        .onRef('said.case_uuid', '=', 'record.uuid')
        .onRef('said.revision', '=', 'record.anamnesis_revision'),
    )
    .select(['said.case_uuid', 'said.anamnesis'])
    .where('record.uuid', 'in', caseUuids)
    .execute();
}

export async function listPatients(tx: Tx, ids: readonly number[]) {
  return await tx.selectFrom('patients').select(personColumns).where('id', 'in', ids).execute();
}

/** By the UUID of the result. */
export async function findAnalyses(
  tx: Tx,
  records: readonly Pick<CaseRecord, 'ml_result_uuid'>[],
): Promise<Map<string, AnalysedCase>> {
  const uuids = records.flatMap(({ ml_result_uuid: uuid }) => uuid ?? []);
  if (uuids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('ml_diagnosis_results')
    .select(['uuid', 'answer'])
    .where('uuid', 'in', uuids)
    .execute();
  return new Map(
    rows.flatMap(({ uuid, answer }) => {
      const { data } = AnalysedCase.safeParse(answer);
      return data === undefined ? [] : [[uuid, data] as const];
    }),
  );
}
