import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { openCursor, sealCursor } from '../../../lib/paging/cursor.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { toPage } from '../../../lib/paging/page.ts';
import { readGroup as read } from './group.queries.ts';
import type { GroupDetail } from './group.schemas.ts';
import { findMembers } from './member.queries.ts';

/**
 * A group with a page of its members.
 * @throws {Problem} `group_not_found`, `cursor_invalid`
 */
export async function readGroup(
  { db, config }: Context,
  { tenantId }: AccountActor,
  { uuid, cursor, limit }: { uuid: string; cursor?: string | undefined; limit: number },
): Promise<GroupDetail> {
  const scope = { list: 'members of a group', tenantId, filters: { group: uuid } };
  const [after = 0] = cursor === undefined ? [] : openCursor(config, scope, cursor);
  return await inTenant(db, tenantId, async (tx) => {
    const group = await read(tx, uuid);
    const rows = await findMembers(tx, { groupId: group.id, after: Number(after), limit });
    return { ...group, members: toPage(rows, limit, ({ id }) => sealCursor(config, scope, [id])) };
  });
}
