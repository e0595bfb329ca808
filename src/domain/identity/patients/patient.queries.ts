import type { Insertable, Selectable, Updateable } from 'kysely';
import { Problem } from '../../../contract/problem.ts';
import { versionConflict } from '../../../contract/version-conflict.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { isUniqueViolation } from '../../../lib/db/errors.ts';
import type { Patients } from '../../../lib/db/tables.ts';
import { nameKeys } from '../../../lib/text/name-keys.ts';
import { profileColumns, type ProfileRow } from './profile.schemas.ts';

/** Profiles of an account that are in use, the owner's first. */
export async function findProfiles(tx: Tx, userId: number): Promise<ProfileRow[]> {
  const rows = await tx
    .selectFrom('patients')
    .select(profileColumns)
    .where('account_user_id', '=', userId)
    .where('deactivated_at', 'is', null)
    .where('erased_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.toSorted((a, b) => Number(b.relation === 'self') - Number(a.relation === 'self'));
}

/** A profile in use, of any account of the tenant. */
export async function findProfileInUse(tx: Tx, uuid: string) {
  return await tx
    .selectFrom('patients')
    .select(['id', 'relation', 'account_user_id'])
    .where('uuid', '=', uuid)
    .where('deactivated_at', 'is', null)
    .where('erased_at', 'is', null)
    .executeTakeFirst();
}

/** A patient of the tenant who has not been erased, deactivated ones included. */
export async function findPatient(tx: Tx, uuid: string) {
  return await tx
    .selectFrom('patients')
    .select(['id', 'pool'])
    .where('uuid', '=', uuid)
    .where('erased_at', 'is', null)
    .executeTakeFirst();
}

/** The patient of a case, also one that is no longer in use. */
export async function readPatient(tx: Tx, id: number): Promise<Selectable<Patients>> {
  return await tx.selectFrom('patients').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

type Loosely<T> = { [Column in keyof T]: T[Column] | undefined };
export type NewPatient = Loosely<Insertable<Patients>> & {
  tenant_id: number;
  uuid: string;
  relation: string;
};

/** @throws {Problem} `external_id_taken` */
export async function insertPatient(tx: Tx, patient: NewPatient): Promise<ProfileRow> {
  const row = await refusingTakenIds(() =>
    tx
      .insertInto('patients')
      // Kysely leaves out what is undefined.
      .values(patient as Insertable<Patients>)
      .returning(profileColumns)
      .executeTakeFirstOrThrow(),
  );
  await replaceNameKeys(tx, patient.tenant_id, row);
  return row;
}

/**
 * Changes a patient that has the expected version, and its name keys where a name changes.
 * @throws {Problem} `version_conflict`, `external_id_taken`
 */
export async function updatePatient(
  tx: Tx,
  { tenantId, id, version }: { tenantId: number; id: number; version: number },
  change: Loosely<Updateable<Patients>>,
): Promise<ProfileRow> {
  const row = await refusingTakenIds(() =>
    tx
      .updateTable('patients')
      .set({ ...(change as Updateable<Patients>), version: version + 1 })
      .where('id', '=', id)
      .where('version', '=', version)
      .returning(profileColumns)
      .executeTakeFirst(),
  );
  if (row === undefined) {
    const current = await tx.selectFrom('patients').select('version').where('id', '=', id).executeTakeFirst();
    throw versionConflict(current?.version ?? version + 1);
  }
  if (change.given_name !== undefined || change.family_name !== undefined) {
    await tx.deleteFrom('patient_name_keys').where('patient_id', '=', id).execute();
    await replaceNameKeys(tx, tenantId, row);
  }
  return row;
}

async function replaceNameKeys(tx: Tx, tenantId: number, row: ProfileRow): Promise<void> {
  const keys = nameKeys(row.given_name, row.family_name);
  if (keys.length === 0) return;
  const rows = keys.map((key) => ({ tenant_id: tenantId, key, patient_id: row.id }));
  await tx.insertInto('patient_name_keys').values(rows).execute();
}

/** PostgreSQL refuses every further statement of the transaction then. */
async function refusingTakenIds<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'patients_tenant_id_external_id_key'))
      throw new Problem('external_id_taken', { cause: error });
    throw error;
  }
}
