import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createMemory } from '../../../../src/lib/app/memory.ts';
import {
  type Admission,
  admitSession,
} from '../../../../src/domain/identity/sessions/session-admission.queries.ts';
import { startSession } from '../../../../src/domain/identity/sessions/start-session.ts';
import { createAccount } from '../../../../src/domain/membership/users/create-account.ts';
import { connectDatabase } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { createTenant } from '../../../support/accounts.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';

const { url, db: owner } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 8, onIdleError: () => undefined });
afterwards(() => pool.end());

const now = new Date();
const { sessionUuid, userUuid } = await openSession('a');
const other = await openSession('b');

async function openSession(name: string) {
  const tenantId = await createTenant({ db: owner }, name);
  const account = {
    tenantId,
    email: `${name}@example.org`,
    passwordHash: 'x',
    role: 'patient',
    language: 'en',
  } as const;
  const refreshTokenHash = createHash('sha256').update(name).digest();
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
const memory = createMemory();
const patients = { userUuid, roles: ['patient'], verifiedOnly: false } as const;
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
  admitSession({ db, memory }, { ...patients, quotas: [minute, hour], sessionUuid: session, now: at, ...of });
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

test('a window that has ended, used up, refuses nothing beside a quota that is new', async () => {
  const used = quota('used', 1);
  await admit({ quotas: [used] });
  const later = new Date(now.getTime() + 60_000);
  expect(left(await admit({ quotas: [minute, used] }, later))).toEqual([
    ['minute', 2, 60, false],
    ['used', 0, 60, false],
  ]);
  expect(await attempts()).toEqual([1, 1]);
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

describe('requests of the same turn of the event loop', () => {
  const ofOther = { userUuid: other.userUuid, quotas: [quota('other', 2), quota('other-hour', 9)] };
  const statements = async (work: () => Promise<unknown>) => {
    const seen = vi.spyOn(pool, 'connect');
    await work();
    const { length } = seen.mock.calls;
    seen.mockRestore();
    return length;
  };

  test('share a statement, and each is taken from the quotas of its own user', async () => {
    let admitted: Awaited<ReturnType<typeof admit>>[] = [];
    const count = await statements(async () => {
      admitted = await Promise.all([
        admit(),
        admit(ofOther, now, other.sessionUuid),
        admit({ userUuid: uuidv7() }),
        admit({}, now, uuidv7()),
        admit({ quotas: [hour] }),
        admit({}, new Date(now.getTime() + 10_000)),
      ]);
    });
    expect(count).toBe(1);
    expect(admitted.map((each) => each?.session.account.user.email)).toEqual([
      'a@example.org',
      'b@example.org',
      'a@example.org',
      undefined,
      'a@example.org',
      'a@example.org',
    ]);
    const remaining = admitted.map((each) => left(each)?.map(([policy, rest]) => `${policy} ${rest}`));
    expect([remaining[1], remaining[2], remaining[3]]).toEqual([['other 1', 'other-hour 8'], [], undefined]);
    // Those of one user in any order.
    const hours = new Set([remaining[0]?.[1], remaining[4]?.[0], remaining[5]?.[1]]);
    expect(hours).toEqual(new Set(['hour 2', 'hour 3', 'hour 4']));
    expect(await attempts()).toEqual([1, 1, 2, 3]);
  });

  test('never deadlock, in any order on many connections', async () => {
    const users = [patients, { userUuid: other.userUuid }];
    const sessions = [sessionUuid, other.sessionUuid];
    const groups = ['x', 'y', 'z'].map((name) => [quota(name, 1_000_000), quota(`${name}-hour`, 1_000_000)]);
    const turn = async (n: number) => {
      const asked = users.flatMap((user, at) => groups.map((quotas) => ({ ...user, quotas, at })));
      for (let k = n % asked.length; k > 0; k -= 1) asked.push(asked.shift() as (typeof asked)[0]);
      if (n % 2 === 1) asked.reverse();
      return await Promise.all(asked.map(({ at, ...of }) => admit(of, now, sessions[at])));
    };
    const { rows: before } = await owner.query<{ deadlocks: string }>(deadlocks);
    for (let round = 0; round < 20; round += 1) {
      const turns = Array.from({ length: 8 }, async (_, n) => {
        // Each in a turn of its own, and so on a connection of its own.
        for (let k = 0; k < n; k += 1) await new Promise((resolve) => setImmediate(resolve));
        return await turn(n + round);
      });
      for (const admitted of (await Promise.all(turns)).flat()) expect(admitted?.states).toHaveLength(2);
    }
    expect(await attempts()).toEqual(Array.from({ length: 6 }, () => 20 * 8 * 2));
    expect((await owner.query(deadlocks)).rows).toEqual(before);
  });

  test('one whose quota is locked for too long stops no other', async () => {
    await admit();
    const holder = await owner.connect();
    try {
      await holder.query('BEGIN; UPDATE throttle_counters SET attempts = attempts');
      const outcomes = await Promise.allSettled([admit(), admit(ofOther, now, other.sessionUuid)]);
      expect(outcomes[0]).toMatchObject({ status: 'rejected', reason: { code: '55P03' } });
      expect(outcomes[1]).toMatchObject({ status: 'fulfilled', value: { states: [{ remaining: 1 }, {}] } });
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    expect(await attempts()).toEqual([1, 1, 1, 1]);
  });
});

const deadlocks = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
