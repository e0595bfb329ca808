import { expect, test } from 'vitest';
import { createSelfProfile } from '../../../../src/domain/identity/patients/self-profile.queries.ts';
import { createAccount } from '../../../../src/domain/membership/users/create-account.ts';
import { connectDatabase } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { createTenant } from '../../../support/accounts.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';

const { url, db: owner } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 1, onIdleError: () => undefined });
afterwards(() => pool.end());
const one = await createTenant({ db: owner }, 'one');
const two = await createTenant({ db: owner }, 'two');

const newAccount = (tenantId: number, name: string, role: 'patient' | 'physician') =>
  inTenant(db, tenantId, (tx) =>
    createAccount(tx, {
      tenantId,
      email: `${name}@example.org`,
      passwordHash: 'x',
      role,
      language: 'he',
    }),
  );
const profiles = (tenantId: number) =>
  inTenant(db, tenantId, (tx) =>
    tx
      .selectFrom('patients')
      .select(['account_user_id', 'relation', 'uuid', 'version'])
      .orderBy('account_user_id')
      .execute(),
  );

test('an account of a patient has one profile of its own from the start, a physician has none', async () => {
  const patient = await newAccount(one, 'ann', 'patient');
  await newAccount(one, 'doctor', 'physician');
  const self = { account_user_id: patient.id, relation: 'self', version: 1 };
  expect(await profiles(one)).toEqual([expect.objectContaining(self)]);
  await inTenant(db, one, (tx) => createSelfProfile(tx, { tenantId: one, userId: patient.id }));
  expect(await profiles(one)).toHaveLength(1);
  const second = inTenant(db, one, (tx) =>
    tx
      .insertInto('patients')
      .values({ uuid: crypto.randomUUID(), tenant_id: one, account_user_id: patient.id, relation: 'self' })
      .execute(),
  );
  await expect(second).rejects.toMatchObject({ code: '23505', constraint: 'patients_self' });
});

test('the tenth registration over one connection works as the first: its statements are prepared by then', async () => {
  for (let n = 0; n < 10; n++) await newAccount(two, `guest-${n}`, 'patient');
  expect(await profiles(two)).toHaveLength(10);
  await owner.query(
    `BEGIN; SELECT set_config('app.tenant', '${two}', true); DELETE FROM patients; DELETE FROM users; COMMIT`,
  );
});

test('the language of the registration is the language of the account', async () => {
  const { id } = await newAccount(one, 'noa', 'patient');
  const row = await inTenant(db, one, (tx) =>
    tx.selectFrom('users').select('language').where('id', '=', id).executeTakeFirst(),
  );
  expect(row).toEqual({ language: 'he' });
});
