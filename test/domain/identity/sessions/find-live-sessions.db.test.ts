import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { createMemory } from '../../../../src/lib/app/memory.ts';
import {
  findLiveSession as findTogether,
  findLiveSessions,
} from '../../../../src/domain/identity/sessions/live-session.queries.ts';
import { endSessions } from '../../../../src/domain/identity/sessions/session.queries.ts';
import { startSession } from '../../../../src/domain/identity/sessions/start-session.ts';
import { createAccount } from '../../../../src/domain/membership/users/create-account.ts';
import { connectDatabase, type Db } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { createTenant } from '../../../support/accounts.ts';
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

const now = new Date();
const [here, there] = (await Promise.all(
  ['here', 'there'].map((slug) => createTenant({ db: owner }, slug)),
)) as [number, number];
const physician = await openSession(here, 'physician');
const patient = await openSession(there, 'patient');

async function openSession(tenantId: number, role: 'physician' | 'patient', name: string = role) {
  const account = {
    tenantId,
    email: `${name}@example.org`,
    passwordHash: 'x',
    role,
    language: 'he',
  } as const;
  const refreshTokenHash = createHash('sha256').update(name).digest();
  return await inTenant(db, tenantId, async (tx) => {
    const { id: userId } = await createAccount(tx, account);
    const request = { ipPrefix: undefined, userAgent: undefined };
    const session = { tenantId, userId, now, refreshTokenHash, sessionLimit: 5, isUniqueInTenant: false };
    return { userId, ...(await startSession(tx, session, request)) };
  });
}

async function findLiveSession(by: Db, sessionUuid: string, at: Date) {
  const [found] = await findLiveSessions(by, [{ sessionUuid, now: at }]);
  return found;
}

const tenantAndUsersSeen = async () => {
  const { rows } = await sql<{ tenant: string | null; users: number }>`
    SELECT current_setting('app.tenant', true) AS tenant, (SELECT count(*)::int FROM users) AS users`.execute(
    db,
  );
  return rows[0];
};

test('session, user, profile and tenant come in one round trip', async () => {
  asked = [];
  const found = await findLiveSession(db, physician.sessionUuid, now);
  expect(asked).toHaveLength(1);
  expect(found?.account).toMatchObject({
    user: { email: 'physician@example.org', tenant_id: here, is_active: true, is_verified: false },
    physician: { user_id: physician.userId, language_preference: 'he' },
    tenant: { slug: 'here', is_active: true },
  });
});

test('a patient has no profile', async () => {
  const found = await findLiveSession(db, patient.sessionUuid, now);
  expect(found?.account).toMatchObject({ user: { tenant_id: there }, physician: null });
});

test('a session shows the account that it belongs to, in a transaction of any tenant; an unknown one, none', async () => {
  await inTenant(db, here, async (tx) => {
    expect((await findLiveSession(tx, patient.sessionUuid, now))?.userId).toBe(patient.userId);
    const seen = await tx.selectFrom('users').select('email').execute();
    expect(seen).toEqual([{ email: 'physician@example.org' }]);
  });
  expect(await findLiveSession(db, uuidv7(), now)).toBeUndefined();
});

test('the connection has no tenant afterwards, after success and after a failure', async () => {
  const noTenant = { tenant: expect.toBeOneOf(['', null]), users: 0 };
  await findLiveSession(db, physician.sessionUuid, now);
  expect(await tenantAndUsersSeen()).toEqual(noTenant);
  await expect(findLiveSession(db, 'no uuid', now)).rejects.toThrow('uuid');
  expect(await tenantAndUsersSeen()).toEqual(noTenant);
});

describe('requests of the same turn of the event loop', () => {
  const memory = createMemory();
  const find = (sessionUuid: string, at: Date) => findTogether({ db, memory }, { sessionUuid, now: at });
  const years = (count: number) => new Date(now.getTime() + count * 365 * 24 * 60 * 60_000);

  test('share one statement, and each gets its own session as of its own time', async () => {
    asked = [];
    const found = await Promise.all([
      find(patient.sessionUuid, now),
      find(uuidv7(), now),
      find(physician.sessionUuid, years(5)),
      find(physician.sessionUuid, now),
      find(patient.sessionUuid, now),
    ]);
    expect(asked).toHaveLength(1);
    const { userId: ofPatient } = patient;
    const { userId: ofPhysician } = physician;
    expect(found.map((session) => session?.userId)).toEqual([
      ofPatient,
      undefined,
      undefined,
      ofPhysician,
      ofPatient,
    ]);
    expect(found[3]).toEqual(await findLiveSession(db, physician.sessionUuid, now));
    expect(found[4]).toEqual(await findLiveSession(db, patient.sessionUuid, now));
  });

  test('are many statements when they are very many', async () => {
    asked = [];
    const found = await Promise.all(Array.from({ length: 130 }, () => find(patient.sessionUuid, now)));
    expect(asked).toHaveLength(3);
    expect(new Set(found.map((session) => session?.userId))).toEqual(new Set([patient.userId]));
  });

  test('of the next turn are looked up anew: a session that has ended meanwhile is not found', async () => {
    const { userId, sessionUuid } = await openSession(there, 'patient', 'leaving');
    const both = () => Promise.all([find(sessionUuid, now), find(patient.sessionUuid, now)]);
    expect((await both())[0]?.userId).toBe(userId);
    await inTenant(db, there, (tx) => endSessions(tx, userId, 'all', 'logout', now));
    const [ended, open] = await both();
    expect(ended).toBeUndefined();
    expect(open?.userId).toBe(patient.userId);
  });

  test('all learn of a failure, and the next ones are served', async () => {
    const outcomes = await Promise.allSettled([find('no uuid', now), find(patient.sessionUuid, now)]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringContaining('uuid') },
      });
    }
    expect((await find(patient.sessionUuid, now))?.userId).toBe(patient.userId);
  });
});
