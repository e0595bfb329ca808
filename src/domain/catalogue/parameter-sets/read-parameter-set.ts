import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { describeSet } from './describe-set.ts';
import { schemaOf } from '../../platform/parameters/parameter-schemas.ts';
import { findSets, findSetVersions } from './parameter-set.queries.ts';
import type { OfficeParameters } from './parameter-set.schemas.ts';

/**
 * The parameters of one name.
 * @throws {Problem} `parameters_not_found` for one that neither the service knows nor anyone has set.
 */
export async function readParameterSet(
  { db, log }: Context,
  { tenantId }: AccountActor,
  { branch, sub_branch: subBranch }: { branch: string; sub_branch: string },
): Promise<OfficeParameters> {
  const name = `${branch}/${subBranch}`;
  return await inTenant(db, tenantId, async (tx) => {
    const [set] = await findSets(tx, tenantId, [name]);
    if (set === undefined || (set.rows.length === 0 && schemaOf(name) === undefined)) {
      throw new Problem('parameters_not_found');
    }
    const versions = await findSetVersions(tx, tenantId, [name]);
    return describeSet(set, versions.get(name) ?? null, log);
  });
}
