import type { AccountActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { lockGroup, readGroup } from './group.queries.ts';
import type { MemberChange, MemberResults } from './group.schemas.ts';
import { type Candidate, deleteMembers, insertMembers, lockCandidates } from './member.queries.ts';

/**
 * Lets accounts join and leave a group, each by itself. Members have what the group adds with their next request. Changes of
 * several admins add up, so that the group's version has no part in it.
 *
 * @throws {Problem} `group_not_found`
 */
export async function changeMembers(
  { db, request, audit }: Context,
  { id: addedBy, tenantId }: AccountActor,
  { uuid, add, remove }: MemberChange & { uuid: string },
): Promise<MemberResults> {
  return await inTenant(db, tenantId, async (tx) => {
    const { id: groupId } = await lockGroup(tx, uuid);
    const known = await lockCandidates(tx, [...add, ...remove]);
    const named = (uuids: readonly string[]) => known.filter((each) => uuids.includes(each.uuid));
    const group = { tenantId, groupId };
    const staff = named(add).filter(({ isStaff }) => isStaff);
    const joined = await insertMembers(tx, { ...group, users: staff, addedBy, now: request.receivedAt });
    const left = await deleteMembers(tx, { ...group, users: named(remove) });
    const record = async (event: (typeof auditEvents)['groupMemberAdded'], users: readonly Candidate[]) => {
      for (const user of users) {
        const subject = { kind: 'user', uuid: user.uuid };
        await audit.as(event).succeeded(tx, { subject, detail: { group: uuid } });
      }
    };
    await record(auditEvents.groupMemberAdded, joined);
    await record(auditEvents.groupMemberRemoved, left);
    const detail = { added: joined.length, removed: left.length };
    await audit.succeeded(tx, { subject: { kind: 'group', uuid }, detail });
    return { ...outcome(known, add, remove), member_count: await countMembers(tx, uuid) };
  });
}

function outcome(known: readonly Candidate[], add: readonly string[], remove: readonly string[]) {
  const result = (uuid: string, needsStaff: boolean) => {
    const user = known.find((each) => each.uuid === uuid);
    if (user === undefined) return { user_uuid: uuid, ok: false, code: 'user_not_found' as const };
    if (needsStaff && !user.isStaff) return { user_uuid: uuid, ok: false, code: 'not_staff' as const };
    return { user_uuid: uuid, ok: true };
  };
  return {
    results: [...add.map((each) => result(each, true)), ...remove.map((each) => result(each, false))],
  };
}

const countMembers = async (tx: Tx, uuid: string) => (await readGroup(tx, uuid)).member_count;
