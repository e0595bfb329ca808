import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import { staffRoles } from '../../../contract/role.ts';
import { versionConflict } from '../../../contract/version-conflict.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { type CaseRecord, findAccountOfPatient, findCase, lockCase } from './case.queries.ts';

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The account whose case a caller makes: the own one; for physicians and admins, that of the patient whom they name.
 * @throws {Problem} `patient_not_found` for a patient who is unknown in the tenant or has no account.
 */
export async function accountFor(
  tx: Tx,
  actor: AccountActor,
  patientUuid: string | undefined,
): Promise<{ id: number }> {
  if (actor.role === 'patient' || patientUuid === undefined) return { id: actor.id };
  const id = await findAccountOfPatient(tx, patientUuid);
  if (id === undefined) throw new Problem('patient_not_found');
  return { id };
}

/**
 * A case of the caller's own account, or one that the caller has made for a patient.
 * @throws {Problem} `case_not_found`, the same for one that is malformed, missing, another account's or another tenant's.
 */
export async function findOwnCase(tx: Tx, actor: AccountActor, uuid: string): Promise<CaseRecord> {
  const record = uuidForm.test(uuid) ? await findCase(tx, uuid) : undefined;
  return requireOwn(record, actor, uuid, isMadeBy);
}

/** As {@link findOwnCase}, locked for a change. What staff have made for a patient they change until it is submitted. */
export async function lockOwnCase(tx: Tx, actor: AccountActor, uuid: string): Promise<CaseRecord> {
  const record = uuidForm.test(uuid) ? await lockCase(tx, uuid) : undefined;
  return requireOwn(record, actor, uuid, (made) => isMadeBy(made, actor) && made.status === 'draft');
}

/** A maker whose account has become a patient's has no part in the case any more. */
const isMadeBy = (record: CaseRecord, { id, role }: AccountActor) =>
  record.created_by_user_id === id && staffRoles.includes(role);

function requireOwn(
  record: CaseRecord | undefined,
  actor: AccountActor,
  uuid: string,
  isOpenToMaker: (record: CaseRecord, actor: AccountActor) => boolean,
): CaseRecord {
  if (record !== undefined && record.erased_at === null) {
    if (record.account_user_id === actor.id || isOpenToMaker(record, actor)) return record;
  }
  throw new Problem('case_not_found', uuidForm.test(uuid) ? { conceals: { kind: 'case', uuid } } : {});
}

/** @throws {Problem} `version_conflict` when the case is no longer as the client has read it. */
export function requireVersion(record: Pick<CaseRecord, 'version'>, expected: number | undefined): void {
  if (expected === undefined || expected === record.version) return;
  throw versionConflict(record.version);
}
