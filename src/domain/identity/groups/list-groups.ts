import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { openCursor, sealCursor } from '../../../lib/paging/cursor.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { type Page, toPage } from '../../../lib/paging/page.ts';
import { findGroups } from './group.queries.ts';
import type { Group } from './group.schemas.ts';

/**
 * The groups of the tenant by name.
 * @throws {Problem} `cursor_invalid`
 */
export async function listGroups(
  { db, config }: Context,
  { tenantId }: AccountActor,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Page<Group>> {
  const scope = { list: 'groups, by name', tenantId, filters: {} };
  const [after] = cursor === undefined ? [] : openCursor(config, scope, cursor);
  const rows = await inTenant(db, tenantId, (tx) =>
    findGroups(tx, { tenantId, limit, after: after === undefined ? undefined : String(after) }),
  );
  return toPage(rows, limit, ({ name }) => sealCursor(config, scope, [name]));
}
