import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { deleteGroupWithMembers, lockGroup, readGroup } from './group.queries.ts';

/**
 * Deletes a group; its members lose what it added.
 * @throws {Problem} `group_not_found`
 */
export async function deleteGroup(
  { db, audit }: Context,
  { tenantId }: AccountActor,
  { uuid }: { uuid: string },
): Promise<void> {
  await inTenant(db, tenantId, async (tx) => {
    const { id } = await lockGroup(tx, uuid);
    const { member_count: members, settings } = await readGroup(tx, uuid);
    await deleteGroupWithMembers(tx, id);
    const detail = { members, capabilities: settings.capabilities };
    await audit.succeeded(tx, { subject: { kind: 'group', uuid }, detail });
  });
}
