import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findLiveSession } from '../../../../src/domain/identity/sessions/find-live-session.ts';
import { readAccount } from '../../../../src/domain/identity/users/read-account.ts';
import { createAccount } from '../../../../src/domain/identity/users/create-account.ts';
import { connectDatabase } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';

const { url, db: owner } = await testDatabase();
/** As the app connects, with one connection, so that each call gets the one that the call before it left. */
const { db, pool } = connectDatabase({ url, poolMax: 1, onIdleError: () => undefined });
afterwards(() => pool.end());

let asked: unknown[] = [];
pool.on('connect', (client) => {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  Object.assign(client, {
    query: (...args: unknown[]) => {
      asked.push(args[0]);
      return query(...args);
    },
  });
});

const [here, there] = (await Promise.all(['here', 'there'].map(createTenant))) as [number, number];
const physician = await createUser(here, 'physician');
const stranger = await createUser(there, 'patient');

async function createTenant(slug: string): Promise<number> {
  const { rows } = await owner.query<{ id: number }>(
    'INSERT INTO tenants (uuid, name, slug) VALUES (gen_random_uuid(), $1, $1) RETURNING id',
    [slug],
  );
  return rows[0]?.id as number;
}

async function createUser(tenantId: number, role: 'physician' | 'patient'): Promise<number> {
  const account = { tenantId, email: `${role}@example.org`, passwordHash: 'x', role, language: 'he' };
  return (await inTenant(db, tenantId, (tx) => createAccount(tx, account))).id;
}

const tenantAndUsersSeen = async () => {
  const { rows } = await sql<{ tenant: string | null; users: number }>`
    SELECT current_setting('app.tenant', true) AS tenant, (SELECT count(*)::int FROM users) AS users`.execute(
    db,
  );
  return rows[0];
};

test('user, profile and tenant come in one round trip, and the session in one more', async () => {
  asked = [];
  const account = await readAccount({ db: db }, { tenantId: here, id: physician });
  expect(asked).toHaveLength(1);
  expect(account).toMatchObject({
    user: { email: 'physician@example.org', tenant_id: here },
    physician: { user_id: physician, language_preference: 'he' },
    tenant: { slug: 'here' },
  });
  await findLiveSession(db, account.user.uuid, new Date());
  expect(asked).toHaveLength(2);
});

test('a patient has no profile', async () => {
  expect((await readAccount({ db: db }, { tenantId: there, id: stranger })).physician).toBeNull();
});

test('a user of another tenant is not found', async () => {
  await expect(readAccount({ db: db }, { tenantId: here, id: stranger })).rejects.toThrow(
    'no such user in this tenant',
  );
  await expect(readAccount({ db: db }, { tenantId: 0, id: stranger })).rejects.toThrow(
    'no such user in this tenant',
  );
});

test('the connection forgets the tenant, after success and after a failure', async () => {
  const nobody = { tenant: expect.toBeOneOf(['', null]), users: 0 };
  await readAccount({ db: db }, { tenantId: here, id: physician });
  expect(await tenantAndUsersSeen()).toEqual(nobody);
  await expect(sql`SELECT * FROM read_account(${here}, 1 / 0)`.execute(db)).rejects.toThrow('zero');
  expect(await tenantAndUsersSeen()).toEqual(nobody);
});

test('a transaction of one tenant stays in it when it asks for an account of another', async () => {
  const seen = await inTenant(db, here, async (tx) => {
    await readAccount({ db: tx }, { tenantId: there, id: stranger });
    return await tx.selectFrom('users').select('email').execute();
  });
  expect(seen).toEqual([{ email: 'physician@example.org' }]);
});

test('the function has no more rights than its caller', async () => {
  const { rows } = await owner.query(`SELECT prosecdef FROM pg_proc WHERE proname = 'read_account'`);
  expect(rows).toEqual([{ prosecdef: false }]);
});
