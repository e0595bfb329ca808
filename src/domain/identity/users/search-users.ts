import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { openCursor, sealCursor } from '../../../lib/paging/cursor.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { type Page, toPage } from '../../../lib/paging/page.ts';
import { findUsers } from './office-user.queries.ts';
import type { OfficeUser, UserSearch } from './office-user.schemas.ts';

/**
 * The accounts of the tenant by address.
 * @throws {Problem} `cursor_invalid`
 */
export async function searchUsers(
  { db, config, audit }: Context,
  { tenantId }: AccountActor,
  { q: prefix = '', role, is_active: isActive, limit, cursor }: UserSearch,
): Promise<Page<OfficeUser>> {
  const scope = { list: 'users, by address', tenantId, filters: { prefix, role, isActive } };
  const [after] = cursor === undefined ? [] : openCursor(config, scope, cursor);
  return await inTenant(db, tenantId, async (tx) => {
    const rows = await findUsers(tx, {
      tenantId,
      prefix,
      role,
      isActive,
      limit,
      after: after === undefined ? undefined : String(after),
    });
    const page = toPage(rows, limit, ({ email }) => sealCursor(config, scope, [email]));
    const filters = Object.entries({ q: prefix || undefined, role, is_active: isActive });
    const used = filters.flatMap(([name, value]) => (value === undefined ? [] : [name]));
    await audit.succeeded(tx, { detail: { filters: used, count: page.items.length } });
    return page;
  });
}
