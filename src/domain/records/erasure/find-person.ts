import type { Db } from '../../../lib/db/connect.ts';
import { forEachTenant, inTenant } from '../../../lib/db/tenant.ts';

export interface Account {
  id: number;
  uuid: string;
  role: string;
  tenantId: number;
  /** The tenant's slug. */
  tenant: string;
}

/** An address is one person across all tenants, with an account in one of them or, invited only, in none. */
export interface Person {
  email: string;
  account: Account | undefined;
}

/** Row-level security binds the owner of the tables as well, so that every tenant is asked. */
export async function findPerson(
  db: Db,
  key: { email: string } | { uuid: string },
): Promise<Person | undefined> {
  const column = 'email' in key ? 'email' : 'uuid';
  const value = 'email' in key ? key.email : key.uuid;
  const found: Person[] = [];
  await forEachTenant(db, async (tenantId) => {
    const user = await inTenant(db, tenantId, (tx) =>
      tx
        .selectFrom('users')
        .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
        .select(['users.id', 'users.uuid', 'users.role', 'users.email', 'tenants.slug'])
        .where('users.tenant_id', '=', tenantId)
        .where(`users.${column}`, '=', value)
        .executeTakeFirst(),
    );
    if (user === undefined) return;
    const { email, slug: tenant, ...account } = user;
    found.push({ email, account: { ...account, tenantId, tenant } });
  });
  return found[0] ?? ('email' in key ? { email: key.email, account: undefined } : undefined);
}
