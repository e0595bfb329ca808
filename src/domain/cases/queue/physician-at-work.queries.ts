import { staffRoles } from '../../../contract/role.ts';
import type { Tx } from '../../../lib/db/connect.ts';

/** Whether a physician can be waited for: not away, with an active account that has not become a patient's. */
export async function isAtWork(tx: Tx, physicianId: number): Promise<boolean> {
  const found = await tx
    .selectFrom('physicians')
    .innerJoin('users', 'users.id', 'physicians.user_id')
    .select('physicians.id')
    .where('physicians.id', '=', physicianId)
    .where('physicians.vacation_mode', '=', false)
    .where('users.is_active', '=', true)
    .where('users.role', '!=', 'patient')
    .executeTakeFirst();
  return found !== undefined;
}

/** Not FOR UPDATE: cases refer to the row by foreign keys. */
export async function lockPhysician(tx: Tx, physicianId: number): Promise<void> {
  await tx.selectFrom('physicians').select('id').where('id', '=', physicianId).forNoKeyUpdate().execute();
}

/** Stores when the physician of an account was last active, which locks the profile. */
export async function touchPhysician(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx.updateTable('physicians').set({ last_active_at: now }).where('user_id', '=', userId).execute();
}

export async function findOwnProfile(tx: Tx, userId: number) {
  return await staffPhysicians(tx).where('p.user_id', '=', userId).executeTakeFirst();
}

export async function findStaffPhysician(tx: Tx, uuid: string) {
  return await staffPhysicians(tx).where('p.uuid', '=', uuid).executeTakeFirst();
}

const staffPhysicians = (tx: Tx) =>
  tx
    .selectFrom('physicians as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'p.uuid', 'p.user_id'])
    // Not one whose account has become a patient's: no list has it, and it is there again with the role.
    .where('u.role', 'in', staffRoles);

export async function setVacation(
  tx: Tx,
  physicianId: number,
  { isAway, until }: { isAway: boolean; until: Date | null },
): Promise<void> {
  await tx
    .updateTable('physicians')
    .set({ vacation_mode: isAway, vacation_until: until })
    .where('id', '=', physicianId)
    .execute();
}

/** Ends vacations whose end has passed, except of physicians who are locked. @returns UUIDs of the physicians. */
export async function endVacationsUntil(
  tx: Tx,
  tenantId: number,
  { now, limit }: { now: Date; limit: number },
): Promise<string[]> {
  const over = tx
    .selectFrom('physicians')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('vacation_until', '<=', now)
    .orderBy('vacation_until')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked();
  const back = await tx
    .updateTable('physicians')
    .set({ vacation_mode: false, vacation_until: null })
    .where('id', 'in', over)
    .returning('uuid')
    .execute();
  return back.map(({ uuid }) => uuid);
}
