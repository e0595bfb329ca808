import { createHash, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { auditEvents } from '../../../../src/contract/audit.ts';
import {
  endSessions,
  exchangeRefreshToken,
  findRefreshToken,
  type RefreshTokenRow,
} from '../../../../src/domain/identity/sessions/session.queries.ts';
import { startSession } from '../../../../src/domain/identity/sessions/start-session.ts';
import { createAccount } from '../../../../src/domain/identity/users/create-account.ts';
import { openAudit } from '../../../../src/domain/platform/events/record-event.ts';
import { connectDatabase } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';

const { url, db: owner } = await testDatabase();
const { db, pool } = connect();

function connect() {
  const connected = connectDatabase({ url, poolMax: 8, onIdleError: () => undefined });
  afterwards(() => connected.pool.end());
  return connected;
}

const now = new Date();
const sha256 = (text: string) => createHash('sha256').update(text).digest();
const here = await createUser('a');
const there = await createUser('b');

async function createUser(name: string) {
  const { rows } = await owner.query<{ id: number }>(
    'INSERT INTO tenants (uuid, name, slug) VALUES (gen_random_uuid(), $1, $1) RETURNING id',
    [name],
  );
  const tenantId = rows[0]?.id as number;
  const account = { tenantId, email: `${name}@example.org`, passwordHash: 'x', role: 'patient' } as const;
  const { id: userId } = await inTenant(db, tenantId, (tx) =>
    createAccount(tx, { ...account, language: 'en' }),
  );
  return { tenantId, userId };
}

type User = typeof here;

/** Opens a session. Returns its refresh token. */
async function openSession(
  { tenantId, userId }: User,
  refreshTokenHash = sha256(randomUUID()),
): Promise<RefreshTokenRow> {
  const session = { tenantId, userId, now, refreshTokenHash, sessionLimit: 100, isUniqueInTenant: false };
  const request = { ipPrefix: undefined, userAgent: undefined };
  await inTenant(db, tenantId, (tx) => startSession(tx, session, request));
  return await found(refreshTokenHash);
}

async function found(hash: Buffer): Promise<RefreshTokenRow> {
  const token = await findRefreshToken(db, { hash, now });
  if (token === undefined) throw new Error('There is no such token.');
  return token;
}

const later = new Date(now.getTime() + 1000);

/** Exchanges `token` on the instance whose database is `by`, at most `limit` times an hour. */
async function exchange(token: RefreshTokenRow, { limit = 100, action = 'token refreshed', by = db } = {}) {
  const hash = sha256(randomUUID());
  const rule = { key: sha256(token.session_uuid), limit, seconds: 3600 };
  const actor = { kind: 'anonymous', tenantId: token.tenant_id, ipPrefix: undefined } as const;
  const request = { id: randomUUID(), language: 'en' as const, ipPrefix: undefined };
  const audit = openAudit(auditEvents.authorizationFailed, actor, request);
  const event = { ...audit.row('success'), action } as ReturnType<typeof audit.row>;
  const asked = { token, hash, sealed: null, rule, event, receivedAt: now, now: later };
  return { hash, outcome: await exchangeRefreshToken(by, asked) };
}

const state = async ({ tenant_id: tenantId, session_uuid: session }: RefreshTokenRow) =>
  await inTenant(db, tenantId, async (tx) => {
    const tokens = await tx
      .selectFrom('refresh_tokens')
      .select(['id', 'revoked_reason'])
      .where('session_uuid', '=', session)
      .orderBy('id')
      .execute();
    const { last_used_at } = await tx
      .selectFrom('sessions')
      .select('last_used_at')
      .where('uuid', '=', session)
      .executeTakeFirstOrThrow();
    return { reasons: tokens.map((token) => token.revoked_reason), last_used_at };
  });

const countEvents = async () => {
  const counts = [here, there].map(({ tenantId }) =>
    inTenant(db, tenantId, async (tx) => (await tx.selectFrom('event_logs').select('uuid').execute()).length),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count);
};

beforeEach(() => owner.query('TRUNCATE event_logs, throttle_counters'));

describe('exchanges of the same turn of the event loop', () => {
  test('share a statement, each in its own tenant, and only the successors work', async () => {
    const tokens = [await openSession(here), await openSession(there), await openSession(here)];
    const connected = vi.spyOn(pool, 'connect');
    const results = await Promise.all(tokens.map((token) => exchange(token)));
    expect(connected).toHaveBeenCalledTimes(1);
    connected.mockRestore();
    expect(results.map(({ outcome }) => outcome)).toEqual(['exchanged', 'exchanged', 'exchanged']);
    for (const [index, token] of tokens.entries()) {
      const successor = await found(results[index]?.hash as Buffer);
      expect(successor).toMatchObject({
        tenant_id: token.tenant_id,
        session_uuid: token.session_uuid,
        user_id: token.user_id,
        revoked: false,
      });
      expect(await state(token)).toEqual({ reasons: ['rotated', null], last_used_at: later });
    }
    expect(await countEvents()).toBe(3);
  });

  test('with the same token: one wins', async () => {
    const token = await openSession(here);
    const results = await Promise.all(Array.from({ length: 5 }, () => exchange(token)));
    expect(results.map(({ outcome }) => outcome).toSorted()).toEqual([
      'exchanged',
      ...Array.from({ length: 4 }, () => 'race'),
    ]);
    expect((await state(token)).reasons).toEqual(['rotated', null]);
    expect(await countEvents()).toBe(1);
  });

  test('one beyond its session’s limit gets the seconds to wait and changes nothing; the others are exchanged', async () => {
    const [limited, ended, free] = [
      await openSession(here),
      await openSession(there),
      await openSession(there),
    ];
    await inTenant(db, there.tenantId, (tx) =>
      endSessions(tx, there.userId, { only: ended.session_uuid }, 'logout', now),
    );
    const results = await Promise.allSettled([
      exchange(limited, { limit: 0 }),
      exchange(ended),
      exchange(free),
    ]);
    expect(results).toMatchObject([
      { status: 'rejected', reason: { code: 'rate_limited', headers: { 'retry-after': '3600' } } },
      { status: 'fulfilled', value: { outcome: 'ended' } },
      { status: 'fulfilled', value: { outcome: 'exchanged' } },
    ]);
    expect(await state(limited)).toEqual({ reasons: [null], last_used_at: now });
    expect((await state(ended)).reasons).toEqual(['session_ended']);
    expect(await countEvents()).toBe(1);
    const { rows } = await owner.query('SELECT attempts FROM throttle_counters');
    expect(rows).toEqual([{ attempts: 1 }]);
    expect((await exchange(limited)).outcome).toBe('exchanged');
  });

  test('one that cannot be stored fails alone', async () => {
    const tokens = [await openSession(here), await openSession(here), await openSession(there)];
    const results = await Promise.allSettled(
      tokens.map((token, index) => exchange(token, index === 1 ? { action: null as unknown as string } : {})),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const reasons = await Promise.all(tokens.map(async (token) => (await state(token)).reasons));
    expect(reasons).toEqual([['rotated', null], [null], ['rotated', null]]);
  });
});

test('one whose session is locked for too long stops no other', async () => {
  const [locked, free] = [await openSession(here), await openSession(there)];
  const holder = await owner.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(`SELECT set_config('app.tenant', $1, true)`, [String(here.tenantId)]);
    const { rowCount } = await holder.query(
      'UPDATE sessions SET last_used_at = last_used_at WHERE uuid = $1',
      [locked.session_uuid],
    );
    expect(rowCount).toBe(1);
    const outcomes = await Promise.allSettled([exchange(locked), exchange(free)]);
    expect(outcomes[0]).toMatchObject({ status: 'rejected', reason: { code: '55P03' } });
    expect(outcomes[1]).toMatchObject({ status: 'fulfilled', value: { outcome: 'exchanged' } });
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  expect((await exchange(locked)).outcome).toBe('exchanged');
});

test('tokens looked up together come in the order in which they are asked for, unknown ones as undefined', async () => {
  const [first, second] = [sha256('first'), sha256('second')];
  const tokens = [await openSession(here, first), await openSession(there, second)];
  const asked = [second, sha256(randomUUID()), first];
  const rows = await Promise.all(asked.map((hash) => findRefreshToken(db, { hash, now })));
  expect(rows.map((row) => row?.id)).toEqual([tokens[1]?.id, undefined, tokens[0]?.id]);
});

test('instances that exchange and end sessions of the same users never deadlock', async () => {
  const instances = [connect().db, connect().db, connect().db];
  const users = [here, there];
  const { rows: before } = await owner.query<{ deadlocks: string }>(deadlocks);
  for (let round = 0; round < 10; round += 1) {
    const sessions = await Promise.all(
      Array.from({ length: 12 }, (_, index) => openSession(users[index % 2] as User)),
    );
    const refreshing = instances.map(async (by, n) => {
      const asked = n % 2 === 0 ? sessions : sessions.toReversed();
      return await Promise.all(asked.map((token) => exchange(token, { by })));
    });
    const ending = users.map(({ tenantId, userId }) =>
      inTenant(db, tenantId, (tx) => endSessions(tx, userId, 'all', 'logout_all', later)),
    );
    const [results] = await Promise.all([Promise.all(refreshing), Promise.all(ending)]);
    // In any order: at most one exchange of each token, and no token of an ended session works.
    for (const index of sessions.keys()) {
      const session = sessions[index]?.session_uuid;
      const outcomes = results.map((result, n) =>
        n % 2 === 0 ? result[index]?.outcome : result[sessions.length - 1 - index]?.outcome,
      );
      expect(outcomes.filter((outcome) => outcome === 'exchanged').length, session).toBeLessThanOrEqual(1);
      expect((await state(sessions[index] as RefreshTokenRow)).reasons).not.toContain(null);
    }
  }
  expect((await owner.query(deadlocks)).rows).toEqual(before);
});

const deadlocks = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
