import type { Db } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';

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
  for (const tenant of await db.selectFrom('tenants').select(['id', 'slug']).orderBy('id').execute()) {
    const found = await inTenant(db, tenant.id, (tx) =>
      tx
        .selectFrom('users')
        .select(['id', 'uuid', 'role', 'email'])
        .where('tenant_id', '=', tenant.id)
        .where(column, '=', value)
        .executeTakeFirst(),
    );
    if (found === undefined) continue;
    const { email, ...account } = found;
    return { email, account: { ...account, tenantId: tenant.id, tenant: tenant.slug } };
  }
  return 'email' in key ? { email: key.email, account: undefined } : undefined;
}
