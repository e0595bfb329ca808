import { type Insertable, type Selectable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../../lib/db/connect.ts';
import type { DermatologistAnnotations } from '../../../lib/db/tables.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import type { AnswerInput } from './annotation-input.schemas.ts';

export type AnswerRow = Selectable<DermatologistAnnotations>;
type Columns = Omit<
  Insertable<DermatologistAnnotations>,
  'uuid' | 'id' | 'tenant_id' | 'case_uuid' | 'status' | 'version'
>;

/** The one draft that a physician may have of an answer to a case. */
export async function findDraft(
  tx: Tx,
  caseUuid: string,
  physicianId: number,
): Promise<AnswerRow | undefined> {
  return await tx
    .selectFrom('dermatologist_annotations')
    .selectAll()
    .where('case_uuid', '=', caseUuid)
    .where('physician_id', '=', physicianId)
    .where('status', '=', 'draft')
    .executeTakeFirst();
}

/** The signed answer that counts. */
export async function findFinal(
  tx: Tx,
  { final_annotation_uuid: uuid }: Pick<CaseRecord, 'final_annotation_uuid'>,
): Promise<AnswerRow | undefined> {
  if (uuid === null) return undefined;
  return await tx
    .selectFrom('dermatologist_annotations')
    .selectAll()
    .where('uuid', '=', uuid)
    .executeTakeFirst();
}

/**
 * Its version goes on from those of the earlier answers to the case: a client names an answer by its version alone, and a
 * number that it has read must not become that of another answer.
 *
 * @param record locked.
 */
export async function insertAnswer(
  tx: Tx,
  record: Pick<CaseRecord, 'uuid' | 'tenant_id'>,
  status: 'draft' | 'final',
  columns: Columns,
): Promise<AnswerRow> {
  return await tx
    .insertInto('dermatologist_annotations')
    .values({
      ...columns,
      uuid: uuidv7(),
      tenant_id: record.tenant_id,
      case_uuid: record.uuid,
      status,
      version: sql<number>`(
        SELECT coalesce(max(version), 0) + 1 FROM dermatologist_annotations WHERE case_uuid = ${record.uuid})`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** What an answer says, as columns. */
export function answerColumns(input: AnswerInput, record: Pick<CaseRecord, 'language'>) {
  const { diagnoses, treatments, follow_up: followUp, referral, language, ...plain } = input;
  const primary = diagnoses.find((each) => each.is_primary);
  return {
    ...plain,
    language: language ?? record.language,
    diagnoses: JSON.stringify(diagnoses),
    primary_disease_id: primary?.disease_id ?? null,
    primary_code: primary?.code || null,
    treatments: JSON.stringify(treatments),
    follow_up: followUp === null ? null : JSON.stringify(followUp),
    referral: referral === null ? null : JSON.stringify(referral),
  };
}
