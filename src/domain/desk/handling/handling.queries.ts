import { staffRoles } from '../../../contract/role.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import { personColumns } from '../../identity/patients/person.ts';
import type { CasePatient } from '../../cases/patient/case.queries.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { isVisibleTo } from '../../cases/record/visible-cases.queries.ts';

/**
 * Those of some cases that the caller may see, by their UUID, locked: always in one order, so that two requests cannot block
 * each other.
 */
export async function lockVisibleCases(
  tx: Tx,
  staff: Staff,
  uuids: readonly string[],
): Promise<Map<string, CaseRecord>> {
  const query = tx.selectFrom('request_records').selectAll().where('uuid', 'in', uuids);
  const locked = await query.orderBy('id').forUpdate().execute();
  // Locked first: what is judged afterwards cannot change any more.
  const seen = new Set((await query.where(isVisibleTo(staff)).execute()).map(({ uuid }) => uuid));
  return new Map(locked.filter(({ uuid }) => seen.has(uuid)).map((record) => [record.uuid, record]));
}

/** The physician to whom a case is assigned. */
export interface Target {
  id: number;
  user_id: number;
  vacation_mode: boolean;
}

export async function lockPhysician(tx: Tx, uuid: string): Promise<Target | undefined> {
  return await tx
    .selectFrom('physicians')
    .select(['id', 'user_id', 'vacation_mode'])
    .where('uuid', '=', uuid)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function isActiveStaff(tx: Tx, userId: number): Promise<boolean> {
  const account = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('is_active', '=', true)
    .where('role', 'in', staffRoles)
    .executeTakeFirst();
  return account !== undefined;
}

/** Whether the physician has a lease on a case of the batch. */
export async function hasBatchInHand(
  tx: Tx,
  batchUuid: string,
  physicianId: number,
  now: Date,
): Promise<boolean> {
  const found = await tx
    .selectFrom('request_records')
    .select('uuid')
    .where('batch_uuid', '=', batchUuid)
    .where('status', '=', 'in_review')
    .where('assigned_physician_id', '=', physicianId)
    .where('lease_expires_at', '>', now)
    .executeTakeFirst();
  return found !== undefined;
}

export async function findPatientWithoutAccount(tx: Tx, uuid: string): Promise<CasePatient | undefined> {
  return await tx
    .selectFrom('patients')
    .select([...personColumns, 'account_user_id'])
    .where('uuid', '=', uuid)
    .where('account_user_id', 'is', null)
    .where('deactivated_at', 'is', null)
    .where('erased_at', 'is', null)
    .executeTakeFirst();
}
