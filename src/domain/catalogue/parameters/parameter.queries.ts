import type { AppContext } from '../../../lib/context.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { shortCachesBy } from '../../../lib/short-cache.ts';

export type Visibility = 'public' | 'authenticated' | 'staff' | 'internal';

export interface ParameterRow {
  key: string;
  value: unknown;
  visibility: Visibility;
  version: number;
  /** Null for a default of the platform. */
  tenant_id: number | null;
}

export type ParameterSource = Pick<AppContext, 'db' | 'clock' | 'log'>;

/** A change is seen by every instance after this time at the latest. */
const cachedForMs = 5000;
const maxCached = 1000;

const cacheOf = shortCachesBy<readonly ParameterRow[]>({ forMs: cachedForMs, max: maxCached });

/**
 * All parameters of a branch that a tenant has and that the platform has, at most five seconds old.
 * @param name `branch/sub_branch`
 */
export async function findParameters(
  { db, clock }: Pick<ParameterSource, 'db' | 'clock'>,
  tenantId: number,
  name: string,
): Promise<readonly ParameterRow[]> {
  return await cacheOf(db).get(`${tenantId} ${name}`, clock.now(), () => readRows(db, tenantId, name));
}

async function readRows(db: Db, tenantId: number, name: string): Promise<readonly ParameterRow[]> {
  const [branch = '', subBranch = ''] = name.split('/');
  return await inTenant(db, tenantId, (tx) =>
    tx
      .selectFrom('application_parameters')
      .select(['key', 'value', 'version', 'tenant_id'])
      .select((eb) => eb.ref('visibility').$castTo<Visibility>().as('visibility'))
      .where('branch', '=', branch)
      .where('sub_branch', '=', subBranch)
      .where((eb) => eb.or([eb('tenant_id', '=', tenantId), eb('tenant_id', 'is', null)]))
      .orderBy('key')
      .execute(),
  );
}
