import { expect, test } from 'vitest';
import {
  type Account,
  codeOf,
  freshAddress,
  freshEmail,
  from,
  logIn,
  register,
  resetTokenFor,
  simultaneously,
  statusesOf,
  tenantRows,
} from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';

// Limits that protect accounts must not become a way to shut their owners out.

const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2', PG_POOL_MAX: '12' } });
const fiveTries = await anotherInstance(app, { LIMIT_EMAILS_TRIED_PER_NETWORK: '5' });

const guess = (email: string, address: string) => logIn(app, { email, password: 'a wrong guess' }, address);

/** An account with a session in the network of `address`. */
async function accountAt(address: string): Promise<Account> {
  const account = await register(app);
  expect((await logIn(app, account, address)).status).toBe(200);
  return account;
}

async function lockEverywhere(email: string): Promise<void> {
  for (let network = 0; network < 10; network += 1) {
    const address = freshAddress();
    const replies = await simultaneously(10, () => guess(email, address));
    expect(new Set(statusesOf(replies))).toEqual(new Set([401]));
  }
}

/** The network of `address` has seen a hundred failures, of a guest's making. */
async function exhaust(address: string): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    await simultaneously(10, () => guess(freshEmail('guest'), address));
  }
  expect((await guess(freshEmail('guest'), address)).status).toBe(429);
}

test('ten networks with ten failures each lock an address everywhere but at home', async () => {
  const home = freshAddress();
  const account = await accountAt(home);
  await lockEverywhere(account.email);
  const elsewhere = await logIn(app, account, freshAddress());
  expect(elsewhere.status).toBe(429);
  expect(Number(elsewhere.headers.get('retry-after'))).toBeGreaterThan(86_000);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect((await logIn(app, account, home)).status).toBe(200);
  }
});

test('a hundred failures of a guest lock out the accounts that are unknown in the network, and no other', async () => {
  const clinic = freshAddress();
  const staff = await accountAt(clinic);
  const visitor = await register(app);
  await exhaust(clinic);
  expect((await logIn(app, staff, clinic)).status).toBe(200);
  expect((await logIn(app, visitor, clinic)).status).toBe(429);
  // A reset unlocks an account, and no network.
  const [token, password] = [await resetTokenFor(app, visitor.email), 'a brand new password'];
  const json = { token, new_password: password };
  const reset = await app.request('/api/auth/reset-password', { json, headers: from(clinic) });
  expect(reset.status).toBe(200);
  expect((await logIn(app, { ...visitor, password }, clinic)).status).toBe(429);
});

test('in its own network an account is held by the pair: the eleventh failure is 429', async () => {
  const home = freshAddress();
  const account = await accountAt(home);
  const replies = await simultaneously(10, () => guess(account.email, home));
  expect(new Set(statusesOf(replies))).toEqual(new Set([401]));
  expect((await guess(account.email, home)).status).toBe(429);
  expect((await logIn(app, account, home)).status).toBe(429);
});

test('a network is known for thirty days after the last use of a session there, ended or not', async () => {
  const home = freshAddress();
  const account = await accountAt(home);
  await lockEverywhere(account.email);
  const use = (days: number) =>
    tenantRows(
      app,
      `UPDATE sessions SET last_used_at = now() - $2 * interval '1 day', revoked_at = now(), revoked_reason = 'logout'
       WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
      [account.email, days],
    );
  await use(30.1);
  expect((await logIn(app, account, home)).status).toBe(429);
  await use(29.9);
  expect((await logIn(app, account, home)).status).toBe(200);
});

test('a session of another account makes a network known for that account only', async () => {
  const home = freshAddress();
  await accountAt(home);
  const account = await register(app);
  await lockEverywhere(account.email);
  expect((await logIn(app, account, home)).status).toBe(429);
});

test('where no proxy names an address, no network is known', async () => {
  const blind = await anotherInstance(app, { TRUSTED_PROXY_HOPS: '0' });
  const account = await register(app);
  expect((await logIn(blind, account)).status).toBe(200);
  await lockEverywhere(account.email);
  expect((await logIn(blind, account)).status).toBe(429);
});

test('one network tries 200 addresses a day in vain, registered or not; one more is 429 for it alone', async () => {
  const address = freshAddress();
  const strict = await anotherInstance(app, { LIMIT_EMAILS_TRIED_PER_NETWORK: '20' });
  const wrong = (email: string) => logIn(strict, { email, password: 'a wrong guess' }, address);
  const [staff, registered] = [await accountAt(address), await register(app)];
  const first = [registered.email, ...Array.from({ length: 19 }, () => freshEmail('tried'))];
  const replies = await simultaneously(20, (index) => wrong(first[index] as string));
  expect(new Set(statusesOf(replies))).toEqual(new Set([401]));
  const [known, unknown] = [await wrong((await register(app)).email), await wrong(freshEmail('tried'))];
  for (const reply of [known, unknown]) {
    expect(reply.status).toBe(429);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect(await codeOf(reply)).toBe('rate_limited');
  }
  // An address that has been tried already is no new one.
  expect((await wrong(first[7] as string)).status).toBe(401);
  expect((await logIn(strict, registered, freshAddress())).status).toBe(200);
  // Nor does it shut out those who are known in the network.
  expect((await logIn(strict, staff, address)).status).toBe(200);
});

test('addresses side by side never pass the limit together, and right passwords do not count', async () => {
  const address = freshAddress();
  const accounts = await Promise.all(Array.from({ length: 8 }, () => register(app)));
  for (const account of accounts) expect((await logIn(fiveTries, account, address)).status).toBe(200);
  const replies = await simultaneously(20, () =>
    logIn(fiveTries, { email: freshEmail('many'), password: 'a wrong guess' }, address),
  );
  expect(statusesOf(replies)).toEqual([...Array<number>(5).fill(401), ...Array<number>(15).fill(429)]);
});

test('an address that one network has tried counts in another as well', async () => {
  const emails = Array.from({ length: 6 }, () => freshEmail('twice'));
  for (const address of [freshAddress(), freshAddress()]) {
    const replies = await simultaneously(6, (index) =>
      logIn(fiveTries, { email: emails[index] as string, password: 'a wrong guess' }, address),
    );
    expect(statusesOf(replies)).toEqual([...Array<number>(5).fill(401), 429]);
  }
});

test('a flood of made-up addresses from a network that is shut out leaves no counter behind', async () => {
  const address = freshAddress();
  await exhaust(address);
  const count = async () =>
    (await app.db.query<{ rows: number }>('SELECT count(*)::int AS rows FROM throttle_counters')).rows[0]
      ?.rows;
  const before = await count();
  for (let round = 0; round < 5; round += 1) {
    const replies = await simultaneously(20, () => guess(freshEmail('flood'), address));
    expect(new Set(statusesOf(replies))).toEqual(new Set([429]));
  }
  expect(await count()).toBe(before);
});

test('a flood of further addresses from a network that has tried enough leaves no counter behind', async () => {
  const address = freshAddress();
  const wrong = () => logIn(fiveTries, { email: freshEmail('further'), password: 'a wrong guess' }, address);
  await simultaneously(5, wrong);
  const count = async () =>
    (await app.db.query<{ rows: number }>('SELECT count(*)::int AS rows FROM throttle_counters')).rows[0]
      ?.rows;
  const before = await count();
  for (let round = 0; round < 3; round += 1) {
    expect(new Set(statusesOf(await simultaneously(20, wrong)))).toEqual(new Set([429]));
  }
  expect(await count()).toBe(before);
});

test('twenty accounts an hour may be opened from one network, also side by side; an admin is not limited', async () => {
  const usual = await anotherInstance(app, { LIMIT_REGISTRATIONS_PER_NETWORK: undefined });
  const address = freshAddress();
  const open = (token?: string) =>
    usual.request('/api/auth/register', {
      json: { email: freshEmail('opened'), password: 'correct horse battery staple', role: 'patient' },
      headers: from(address),
      ...(token !== undefined && { token }),
    });
  const replies = await simultaneously(30, () => open());
  expect(statusesOf(replies)).toEqual([...Array<number>(20).fill(201), ...Array<number>(10).fill(429)]);
  const refused = await open();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
  const admin = await register(app, { role: 'admin' });
  expect((await open(admin.access_token)).status).toBe(201);
});
