import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { versionConflict } from '../../../contract/version-conflict.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { DB, DermatologistAnnotations } from '../../../lib/db/tables.ts';
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
  return uuid === null ? undefined : await findAnswer(tx, uuid);
}

export async function findAnswer(tx: Tx, uuid: string): Promise<AnswerRow | undefined> {
  return await tx
    .selectFrom('dermatologist_annotations')
    .selectAll()
    .where('uuid', '=', uuid)
    .executeTakeFirst();
}

/** All of these cases, the oldest first. */
export async function findAnswers(tx: Tx, caseUuids: readonly string[]): Promise<AnswerRow[]> {
  return await tx
    .selectFrom('dermatologist_annotations')
    .selectAll()
    .where('case_uuid', 'in', caseUuids)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Those of a case that were ever published, the newest first. */
export async function findPublished(tx: Tx, caseUuid: string): Promise<AnswerRow[]> {
  return await tx
    .selectFrom('dermatologist_annotations')
    .selectAll()
    .where('case_uuid', '=', caseUuid)
    .where('published_at', 'is not', null)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
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

type Annotations = 'audit_annotations' | 'dermatologist_annotations';

/**
 * Changes an answer or an audit and raises its version.
 * @throws {Problem} `version_conflict` where it is no longer the row that was read.
 */
export async function changeVersion<Table extends Annotations>(
  tx: Tx,
  table: Table,
  { uuid, version }: { uuid: string; version: number },
  now: Date,
  set: Omit<Updateable<DB[Table]>, 'uuid' | 'id' | 'tenant_id' | 'case_uuid' | 'version' | 'updated_at'>,
): Promise<Selectable<DB[Table]>> {
  const changed = await tx
    .updateTable<Annotations>(table)
    .set({ ...set, version: version + 1, updated_at: now })
    .where('uuid', '=', uuid)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();
  if (changed === undefined) throw versionConflict(version + 1);
  return changed as Selectable<DB[Table]>;
}

/** What an answer says, as columns. */
export function answerColumns(input: AnswerInput, record: Pick<CaseRecord, 'language'>) {
  const {
    diagnoses,
    treatments,
    follow_up: followUp,
    referral,
    language,
    contradiction_reasons: reasons,
  } = input;
  const { confirm_emergency: _confirmed, ...plain } = input;
  const primary = diagnoses.find((each) => each.is_primary);
  return {
    ...plain,
    language: language ?? record.language,
    diagnoses: JSON.stringify(diagnoses),
    primary_disease_id: primary?.disease_id ?? null,
    primary_code: primary?.code || null,
    contradiction_reasons: JSON.stringify(reasons),
    treatments: JSON.stringify(treatments),
    follow_up: followUp === null ? null : JSON.stringify(followUp),
    referral: referral === null ? null : JSON.stringify(referral),
  };
}
