import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { loadStaff, requireCapability } from '../../identity/groups/staff.ts';
import { countCases } from './count-cases.ts';
import type { AnalyticsCounts } from './analytics-counts.schemas.ts';

/**
 * The counts of the caller's tenant as of now.
 * @throws {Problem} `capability_required`
 */
export async function readCounts({ db, request }: Context, actor: AccountActor): Promise<AnalyticsCounts> {
  const { tenantId } = actor;
  const at = request.receivedAt;
  return await inTenant(db, tenantId, async (tx) => {
    requireCapability(await loadStaff(tx, actor), 'analytics.read');
    return { at, ...(await countCases(tx, tenantId, at)) };
  });
}
