import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { beforeEach, expect, test } from 'vitest';
import { type Admission, admitSession } from '../../../../src/domain/identity/sessions/admit-session.ts';
import { startSession } from '../../../../src/domain/identity/sessions/start-session.ts';
import { createAccount } from '../../../../src/domain/identity/users/create-account.ts';
import { connectDatabase } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';

const { url, db: owner } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 8, onIdleError: () => undefined });
afterwards(() => pool.end());

const now = new Date();
const { sessionUuid, userUuid } = await openSession();

async function openSession() {
  const { rows } = await owner.query<{ id: number }>(
    `INSERT INTO tenants (uuid, name, slug) VALUES (gen_random_uuid(), 'here', 'here') RETURNING id`,
  );
  const tenantId = rows[0]?.id as number;
  const account = {
    tenantId,
    email: 'a@example.org',
    passwordHash: 'x',
    role: 'patient',
    language: 'en',
  } as const;
  const refreshTokenHash = createHash('sha256').update('a').digest();
  return await inTenant(db, tenantId, async (tx) => {
    const { id: userId, uuid } = await createAccount(tx, account);
    const request = { ipPrefix: undefined, userAgent: undefined };
    const session = { tenantId, userId, now, refreshTokenHash, sessionLimit: 5, isUniqueInTenant: false };
    return { userUuid: uuid, ...(await startSession(tx, session, request)) };
  });
}

const keyOf = (name: string) => createHash('sha256').update(name).digest();
const quota = (policy: string, limit: number, cost = 1) => ({
  policy,
  limit,
  cost,
  seconds: 60,
  key: keyOf(policy),
});
const patients: Omit<Admission, 'quotas'> = { userUuid, roles: ['patient'], verifiedOnly: false };
const minute = quota('minute', 3);
const hour = quota('hour', 5);

beforeEach(() => owner.query('DELETE FROM throttle_counters'));

const attempts = async () => {
  const { rows } = await owner.query<{ attempts: number }>(
    'SELECT attempts FROM throttle_counters ORDER BY attempts',
  );
  return rows.map((row) => row.attempts);
};
const admit = (of: Partial<Admission> = {}, at = now, session = sessionUuid) =>
  admitSession(db, session, { ...patients, quotas: [minute, hour], ...of }, at);
const left = (admitted: Awaited<ReturnType<typeof admit>>) =>
  admitted?.states.map(({ policy, remaining, resetsIn, isShort }) => [policy, remaining, resetsIn, isShort]);

test('the account comes with what is left of each quota', async () => {
  const first = await admit();
  expect(first?.session.account.user.email).toBe('a@example.org');
  expect(left(first)).toEqual([
    ['minute', 2, 60, false],
    ['hour', 4, 60, false],
  ]);
  expect(left(await admit({}, new Date(now.getTime() + 20_000)))).toEqual([
    ['minute', 1, 40, false],
    ['hour', 3, 40, false],
  ]);
});

test('of many requests at once as many pass as the quota has, and the others take nothing', async () => {
  const admitted = await Promise.all(Array.from({ length: 20 }, () => admit()));
  expect(admitted.filter((each) => each?.states.every(({ isShort }) => !isShort))).toHaveLength(3);
  expect(await attempts()).toEqual([3, 3]);
});

test('when a later quota is used up, nothing is taken from an earlier one', async () => {
  await admit();
  const used = { quotas: [minute, quota('hour', 1)] };
  expect(left(await admit(used))).toEqual([
    ['minute', 2, 60, false],
    ['hour', 0, 60, true],
  ]);
  expect(await attempts()).toEqual([1, 1]);
});

test('when only a later quota is new, each is taken from once', async () => {
  await admit({ quotas: [minute] });
  expect(left(await admit())).toEqual([
    ['minute', 1, 60, false],
    ['hour', 4, 60, false],
  ]);
});

test('a window that has ended begins again', async () => {
  for (let n = 0; n < 4; n += 1) await admit();
  const later = new Date(now.getTime() + 60_000);
  expect(left(await admit({}, later))).toEqual([
    ['minute', 2, 60, false],
    ['hour', 4, 60, false],
  ]);
});

test('a cost beyond the range of a counter is refused, not an error', async () => {
  const bytes = quota('bytes', 2 ** 31 - 1, 2 ** 31 - 1);
  expect(left(await admit({ quotas: [bytes] }))).toEqual([['bytes', 0, 60, false]]);
  expect(left(await admit({ quotas: [bytes] }))).toEqual([['bytes', 0, 60, true]]);
});

test.each([
  ['whose role may not call', { roles: ['physician', 'admin'] }],
  ['whose address is not verified where it must be', { verifiedOnly: true }],
  ['to whom the token does not belong', { userUuid: uuidv7() }],
] satisfies [string, Partial<Admission>][])('of a user %s nothing is taken', async (_who, of) => {
  const admitted = await admit(of);
  expect(admitted?.session.account.user.uuid).toBe(userUuid);
  expect(admitted?.states).toEqual([]);
  expect(await attempts()).toEqual([]);
});

test('of a session that is not there nothing is taken', async () => {
  expect(await admit({}, now, uuidv7())).toBeUndefined();
  expect(await attempts()).toEqual([]);
});
