import type { AppContext } from '../../../lib/app/context.ts';
import { remembered } from '../../../lib/app/memory.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { createShortCache } from '../../../lib/concurrency/short-cache.ts';

export type Visibility = 'public' | 'authenticated' | 'staff' | 'internal';

export interface ParameterRow {
  key: string;
  value: unknown;
  visibility: Visibility;
  version: number;
  updated_at: Date;
  /** Null for a default of the platform. */
  tenant_id: number | null;
  /** How often the tenant has changed its values of the branch; null where it never has. */
  set_version: number | null;
}

export type ParameterSource = Pick<AppContext, 'db' | 'clock' | 'log' | 'memory'>;

/** A change is seen by every instance after this time at the latest. */
const cachedForMs = 5000;
const maxCached = 1000;

const parameterCache = remembered(() =>
  createShortCache<readonly ParameterRow[]>({ forMs: cachedForMs, max: maxCached }),
);

/**
 * All parameters of a branch that a tenant has and that the platform has, at most five seconds old.
 * @param name `branch/sub_branch`
 */
export async function findParameters(
  { db, clock, memory }: Pick<ParameterSource, 'db' | 'clock' | 'memory'>,
  tenantId: number,
  name: string,
): Promise<readonly ParameterRow[]> {
  const cache = memory.of(parameterCache);
  return await cache.get(`${tenantId} ${name}`, clock.now(), () => readRows(db, tenantId, name));
}

/** As {@link findParameters}, as of now. */
export async function findCurrentParameters(
  { db }: Pick<ParameterSource, 'db'>,
  tenantId: number,
  name: string,
): Promise<readonly ParameterRow[]> {
  return await readRows(db, tenantId, name);
}

async function readRows(db: Db, tenantId: number, name: string): Promise<readonly ParameterRow[]> {
  const [branch = '', subBranch = ''] = name.split('/');
  return await inTenant(db, tenantId, (tx) =>
    tx
      .selectFrom('application_parameters as p')
      .leftJoin('parameter_sets as s', (join) =>
        join
          .on('s.tenant_id', '=', tenantId)
          .onRef('s.branch', '=', 'p.branch')
          .onRef('s.sub_branch', '=', 'p.sub_branch'),
      )
      .select(['p.key', 'p.value', 'p.version', 'p.updated_at', 'p.tenant_id', 's.version as set_version'])
      .select((eb) => eb.ref('p.visibility').$castTo<Visibility>().as('visibility'))
      .where('p.branch', '=', branch)
      .where('p.sub_branch', '=', subBranch)
      .where((eb) => eb.or([eb('p.tenant_id', '=', tenantId), eb('p.tenant_id', 'is', null)]))
      .orderBy('p.key')
      .execute(),
  );
}
