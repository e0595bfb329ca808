import type { Selectable, Updateable } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { RequestRecords } from '../../../lib/db/tables.ts';

export type CaseRecord = Selectable<RequestRecords>;
/** Everything but what `applyTransition` itself writes. */
export type CaseChanges = Omit<
  Updateable<RequestRecords>,
  'uuid' | 'id' | 'tenant_id' | 'status' | 'pending_status' | 'status_changed_at' | 'version' | 'updated_at'
>;

/** A case as it stands, locked until the transaction ends. */
export async function lockCase(tx: Tx, uuid: string): Promise<CaseRecord | undefined> {
  return await tx
    .selectFrom('request_records')
    .selectAll()
    .where('uuid', '=', uuid)
    .forUpdate()
    .executeTakeFirst();
}

export async function findCase(tx: Tx, uuid: string): Promise<CaseRecord | undefined> {
  return await tx.selectFrom('request_records').selectAll().where('uuid', '=', uuid).executeTakeFirst();
}

/** Changes a case without a transition: its version stays. */
export async function setCaseColumns(tx: Tx, uuid: string, set: CaseChanges): Promise<void> {
  await tx.updateTable('request_records').set(set).where('uuid', '=', uuid).execute();
}

/** The account of a patient; undefined for an unknown patient and for one without an account. */
export async function findAccountOfPatient(tx: Tx, patientUuid: string): Promise<number | undefined> {
  const patient = await tx
    .selectFrom('patients')
    .select('account_user_id as id')
    .where('uuid', '=', patientUuid)
    .executeTakeFirst();
  return patient?.id ?? undefined;
}
