import type { AccountActor, AnonymousActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import { staffRoles } from '../../../contract/role.ts';
import type { Context } from '../../../lib/app/context.ts';
import { requireActiveTenant } from '../../platform/tenants/tenant.queries.ts';
import {
  findParameters,
  type ParameterRow,
  type Visibility,
} from '../../platform/parameters/parameter.queries.ts';
import { effectiveParameters } from '../../platform/parameters/read-parameters.ts';

export interface ParameterSet {
  branch: string;
  sub_branch: string;
  version: number;
  parameters: Record<string, unknown>;
}

/**
 * The parameters of a branch that the caller may see. Where the platform has a default, its visibility counts: a tenant
 * publishes nothing that the platform hides.
 *
 * @throws {Problem} `parameters_not_found` when there is nothing to see; `tenant_not_found`
 */
export async function listParameters(
  context: Pick<Context, 'db' | 'clock' | 'log' | 'memory' | 'request'>,
  actor: AccountActor | AnonymousActor,
  { branch, sub_branch: subBranch }: { branch: string; sub_branch: string },
): Promise<ParameterSet> {
  const tenantId =
    actor.kind === 'account'
      ? actor.tenantId
      : (await requireActiveTenant(context.db, context.request.tenantSlug)).id;
  const name = `${branch}/${subBranch}`;
  const visible = visibleTo(actor);
  const rows = await findParameters(context, tenantId, name);
  const shown = effectiveParameters(rows, name, context.log).filter((row) =>
    visible.includes(visibilityOf(row, rows)),
  );
  if (shown.length === 0) throw new Problem('parameters_not_found');
  const keys = new Set(shown.map(({ key }) => key));
  // The tenant's changes are counted: a value that is removed must not lead back to an earlier version.
  const changes = rows[0]?.set_version ?? undefined;
  const counted = rows.filter(
    ({ key, tenant_id: owner }) => keys.has(key) && (owner === null || changes === undefined),
  );
  return {
    branch,
    sub_branch: subBranch,
    // Grows with each change of either layer.
    version: counted.reduce((sum, row) => sum + row.version, changes ?? 0),
    parameters: Object.fromEntries(shown.map(({ key, value }) => [key, value])),
  };
}

function visibleTo(actor: AccountActor | AnonymousActor): readonly Visibility[] {
  if (actor.kind !== 'account') return ['public'];
  return staffRoles.includes(actor.role) ? ['public', 'authenticated', 'staff'] : ['public', 'authenticated'];
}

function visibilityOf(row: ParameterRow, rows: readonly ParameterRow[]): Visibility {
  const platform = rows.find(({ key, tenant_id: owner }) => key === row.key && owner === null);
  return (platform ?? row).visibility;
}
