import type { Role } from '../../../contract/role.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { physicianName } from '../physicians/display-name.ts';

/** Accounts of a group in the order in which they were created, one more than `limit` where there are more. */
export async function findMembers(
  tx: Tx,
  { groupId, after, limit }: { groupId: number; after: number; limit: number },
) {
  const rows = await tx
    .selectFrom('user_group_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .leftJoin('physicians as p', 'p.user_id', 'u.id')
    .select(['u.id', 'u.uuid', 'u.email', 'u.is_active', 'm.created_at as added_at', 'p.id as physician_id'])
    .select(['p.settings', (eb) => eb.ref('u.role').$castTo<Role>().as('role')])
    .where('m.group_id', '=', groupId)
    .where('m.user_id', '>', after)
    .orderBy('m.user_id')
    .limit(limit + 1)
    .execute();
  return rows.map(({ physician_id: physician, settings, ...row }) => ({
    ...row,
    display_name: physician === null ? null : physicianName({ id: physician, settings }),
  }));
}

export interface Candidate {
  id: number;
  uuid: string;
  isStaff: boolean;
}

/** Accounts whose role does not change until the transaction ends; unknown ones are left out. */
export async function lockCandidates(tx: Tx, uuids: readonly string[]): Promise<Candidate[]> {
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'uuid', 'role'])
    .where('uuid', 'in', [...uuids])
    // In one order everywhere, so that no two changes wait for each other.
    .orderBy('id')
    .forShare()
    .execute();
  return rows.map(({ id, uuid, role }) => ({ id, uuid, isStaff: role !== 'patient' }));
}

export interface Membership {
  tenantId: number;
  groupId: number;
  users: readonly Candidate[];
}

/** @returns those who were not in the group before. */
export async function insertMembers(
  tx: Tx,
  { tenantId, groupId, users, addedBy, now }: Membership & { addedBy: number; now: Date },
): Promise<Candidate[]> {
  if (users.length === 0) return [];
  const added = await tx
    .insertInto('user_group_members')
    .values(
      users.map(({ id }) => ({
        tenant_id: tenantId,
        group_id: groupId,
        user_id: id,
        added_by: addedBy,
        created_at: now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .execute();
  return users.filter(({ id }) => added.some((row) => row.user_id === id));
}

/** @returns those who were in the group before. */
export async function deleteMembers(tx: Tx, { groupId, users }: Membership): Promise<Candidate[]> {
  if (users.length === 0) return [];
  const removed = await tx
    .deleteFrom('user_group_members')
    .where('group_id', '=', groupId)
    .where(
      'user_id',
      'in',
      users.map(({ id }) => id),
    )
    .returning('user_id')
    .execute();
  return users.filter(({ id }) => removed.some((row) => row.user_id === id));
}

/** Takes an account out of every group. */
export async function leaveAllGroups(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('user_group_members').where('user_id', '=', userId).execute();
}
