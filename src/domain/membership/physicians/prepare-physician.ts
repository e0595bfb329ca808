import type { AccountActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { lockGroup } from '../../identity/groups/group.queries.ts';
import { insertMembers } from '../../identity/groups/member.queries.ts';
import { prepareAccount } from '../users/prepared-account.queries.ts';
import { insertPhysician, requireFreeEmployeeId } from '../../identity/physicians/physician.queries.ts';
import type { NewPhysician } from '../../identity/physicians/physician.schemas.ts';

/**
 * Writes the account that is to be activated, its profile and its memberships.
 * @returns the UUID of the profile.
 * @throws {Problem} `group_not_found`, `employee_id_taken`, `email_taken`
 */
export async function preparePhysician(
  { audit, request }: Context,
  tx: Tx,
  { id: addedBy, tenantId }: AccountActor,
  input: NewPhysician,
): Promise<string> {
  const { email, display_name, language_preference: language, group_uuids: groups = [] } = input;
  // Before the address, which is unique across all tenants: a request that fails anyway does not reveal whether it is taken.
  const locked: { uuid: string; id: number }[] = [];
  // In one order everywhere, so that no two changes wait for each other.
  for (const uuid of [...new Set(groups)].toSorted()) locked.push({ uuid, ...(await lockGroup(tx, uuid)) });
  await requireFreeEmployeeId(tx, tenantId, input.employee_id);
  const user = await prepareAccount(tx, { tenantId, email, role: 'physician', language });
  const { uuid } = await insertPhysician(tx, {
    tenantId,
    userId: user.id,
    language,
    employeeId: input.employee_id,
    privatePool: input.private_pool,
    settings: { ...input.settings, display_name },
    adminSettings: input.admin_settings ?? {},
  });
  for (const { uuid: group, id: groupId } of locked) {
    const users = [{ id: user.id, uuid: user.uuid, isStaff: true }];
    await insertMembers(tx, { tenantId, groupId, users, addedBy, now: request.receivedAt });
    const subject = { kind: 'user', uuid: user.uuid };
    await audit.as(auditEvents.groupMemberAdded).succeeded(tx, { subject, detail: { group } });
  }
  await audit.succeeded(tx, {
    subject: { kind: 'physician', uuid },
    detail: { user: user.uuid, invited: input.invite, groups: groups.length },
  });
  return uuid;
}
