import type { Db } from '../../../lib/db/connect.ts';
import { forEachTenant, inTenant } from '../../../lib/db/tenant.ts';
import { type Account, findAccount } from './person.queries.ts';

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
  const found: Person[] = [];
  await forEachTenant(db, async (tenantId) => {
    const person = await inTenant(db, tenantId, (tx) => findAccount(tx, tenantId, key));
    if (person !== undefined) found.push(person);
  });
  return found[0] ?? ('email' in key ? { email: key.email, account: undefined } : undefined);
}
