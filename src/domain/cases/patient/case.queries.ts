import type { AccountActor } from '../../../contract/actor.ts';
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { personColumns } from '../../identity/patients/person.ts';
import type { CaseRecord } from '../record/case.queries.ts';

type Case = Pick<CaseRecord, 'uuid' | 'tenant_id'>;

/** A profile that the account may act for. */
export async function findPatient(tx: Tx, accountId: number, patientUuid: string | undefined) {
  const own = tx
    .selectFrom('patients')
    .select([...personColumns, 'account_user_id'])
    .where('account_user_id', '=', accountId)
    .where('deactivated_at', 'is', null)
    .where('erased_at', 'is', null);
  const asked =
    patientUuid === undefined ? own.where('relation', '=', 'self') : own.where('uuid', '=', patientUuid);
  return await asked.executeTakeFirst();
}
export type CasePatient = NonNullable<Awaited<ReturnType<typeof findPatient>>>;

/** Answers as a new revision; earlier ones stay as they are. */
export async function insertRevision(
  tx: Tx,
  record: Case,
  {
    revision,
    anamnesis,
    author,
    correctionReason = null,
  }: {
    revision: number;
    anamnesis: PartialAnamnesis;
    author: AccountActor;
    /** Why staff have changed what the patient has said. */
    correctionReason?: string | null;
  },
  now: Date,
): Promise<void> {
  const text = canonicalJson(anamnesis);
  await tx
    .insertInto('request_anamneses')
    .values({
      case_uuid: record.uuid,
      tenant_id: record.tenant_id,
      revision,
      anamnesis: text,
      sha256: createHash('sha256').update(text).digest(),
      schema_version: anamnesis.schemaVersion ?? '1',
      author_user_id: author.id,
      author_kind: author.role === 'patient' ? 'patient' : 'staff',
      correction_reason: correctionReason,
      created_at: now,
    })
    .execute();
}

/** Drafts that a caller has made: those of the own account, or for patients. */
export async function countDrafts(tx: Tx, actor: AccountActor, accountId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('request_records')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .$if(accountId === actor.id, (query) =>
      query.where('account_user_id', '=', actor.id).where('created_by_user_id', 'is', null),
    )
    .$if(accountId !== actor.id, (query) => query.where('created_by_user_id', '=', actor.id))
    .where('status', '=', 'draft')
    .executeTakeFirstOrThrow();
  return count;
}

export async function findByClientId(
  tx: Tx,
  accountId: number,
  clientCaseId: string,
): Promise<CaseRecord | undefined> {
  return await tx
    .selectFrom('request_records')
    .selectAll()
    .where('account_user_id', '=', accountId)
    .where('client_case_id', '=', clientCaseId)
    .executeTakeFirst();
}
