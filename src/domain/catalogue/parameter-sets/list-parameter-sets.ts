import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { openCursor, sealCursor } from '../../../lib/paging/cursor.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { type Page, toPage } from '../../../lib/paging/page.ts';
import { describeSet, knownNames } from './describe-set.ts';
import { findSetNames, findSets, findSetVersions } from './parameter-set.queries.ts';
import type { OfficeParameters } from './parameter-set.schemas.ts';

/**
 * All parameters of the tenant by name, those that nobody has set included.
 * @throws {Problem} `cursor_invalid`
 */
export async function listParameterSets(
  { db, config, log }: Context,
  { tenantId }: AccountActor,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Page<OfficeParameters>> {
  const scope = { list: 'parameters, by name', tenantId, filters: {} };
  const [after = ''] = cursor === undefined ? [] : openCursor(config, scope, cursor);
  return await inTenant(db, tenantId, async (tx) => {
    const all = new Set([...knownNames, ...(await findSetNames(tx, tenantId))]);
    const names = [...all].filter((name) => name > String(after)).toSorted();
    const page = toPage(names, limit, (last) => sealCursor(config, scope, [last]));
    const [sets, versions] = [
      await findSets(tx, tenantId, page.items),
      await findSetVersions(tx, tenantId, page.items),
    ];
    return { ...page, items: sets.map((set) => describeSet(set, versions.get(set.name) ?? null, log)) };
  });
}
