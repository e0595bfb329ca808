import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { SharedQueries } from '../../../../src/lib/app/context.ts';
import { createMemory } from '../../../../src/lib/app/memory.ts';
import { type Clock, systemClock } from '../../../../src/contract/clock.ts';
import {
  endSessions,
  findRefreshToken,
  refreshTokenLifetimeMs,
  type RefreshTokenRow,
  renewSession,
} from '../../../../src/domain/identity/sessions/session.queries.ts';
import { startSession } from '../../../../src/domain/identity/sessions/start-session.ts';
import { createAccount } from '../../../../src/domain/membership/users/create-account.ts';
import { openAudit } from '../../../../src/domain/platform/events/record-event.ts';
import { connectDatabase } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { createTenant, openTransaction, tenantRows } from '../../../support/accounts.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';
import { tcpProxy } from '../../../support/tcp-proxy.ts';

const { url, db: owner } = await testDatabase();
const { db, pool, memory } = connect();

function connect(poolMax = 8, address = url) {
  const { db, pool } = connectDatabase({ url: address, poolMax, onIdleError: () => undefined });
  afterwards(() => pool.end());
  return { db, pool, memory: createMemory() };
}

const now = new Date();
const sha256 = (text: string) => createHash('sha256').update(text).digest();
const here = await createUser('a');
const there = await createUser('b');

async function createUser(name: string) {
  const tenantId = await createTenant({ db: owner }, name);
  const account = { tenantId, email: `${name}@example.org`, passwordHash: 'x', role: 'patient' } as const;
  const { id: userId } = await inTenant(db, tenantId, (tx) =>
    createAccount(tx, { ...account, language: 'en' }),
  );
  return { tenantId, userId };
}

type User = typeof here;
type Presented = RefreshTokenRow & { hash: Buffer };

/** Opens a session. Returns its refresh token. */
async function openSession(
  { tenantId, userId }: User,
  refreshTokenHash = sha256(randomUUID()),
): Promise<Presented> {
  const session = { tenantId, userId, now, refreshTokenHash, sessionLimit: 100, isUniqueInTenant: false };
  const request = { ipPrefix: undefined, userAgent: undefined };
  await inTenant(db, tenantId, (tx) => startSession(tx, session, request));
  return { ...(await found(refreshTokenHash)), hash: refreshTokenHash };
}

async function found(hash: Buffer): Promise<RefreshTokenRow> {
  const token = await findRefreshToken({ db, memory }, { hash, now });
  if (token === undefined) throw new Error('There is no such token.');
  return token;
}

const later = new Date(now.getTime() + 1000);
const laterClock: Clock = { now: () => later };

/** Exchanges `token` on the instance whose database is `by`, at most `limit` times an hour. */
async function exchange(
  { hash }: { hash: Buffer },
  {
    limit = 100,
    action = 'session_renewed',
    by = { db, memory } as SharedQueries,
    receivedAt = now,
    clock = laterClock,
    hashOfSuccessor = sha256(randomUUID()),
    sealed = null as Buffer | null,
  } = {},
) {
  const actor = { kind: 'anonymous', tenantId: undefined, ipPrefix: undefined } as const;
  const request = { id: randomUUID(), ipPrefix: undefined };
  const audit = openAudit({ category: 'auth', success: action, refusal: 'x' }, actor, request);
  const event = audit.row('success');
  const renewal = { hash, hashOfSuccessor, sealed, limit, event, receivedAt, clock };
  return { hash: hashOfSuccessor, ...(await renewSession(by, renewal)) };
}

const state = async ({ tenant_id: tenantId, session_uuid: session }: RefreshTokenRow) =>
  await inTenant(db, tenantId, async (tx) => {
    const tokens = await tx
      .selectFrom('refresh_tokens')
      .select(['id', 'revoked_reason'])
      .where('session_uuid', '=', session)
      .orderBy('id')
      .execute();
    const columns = await tx
      .selectFrom('sessions')
      .select(['last_used_at', 'renewals', 'idle_expires_at'])
      .where('uuid', '=', session)
      .executeTakeFirstOrThrow();
    return { reasons: tokens.map((token) => token.revoked_reason), ...columns };
  });

const eventsOf = async ({ tenantId }: User) =>
  await inTenant(db, tenantId, (tx) =>
    tx.selectFrom('event_logs').select(['action', 'actor_user_id', 'actor_kind', 'session_id']).execute(),
  );
const asOwner = async ({ tenantId }: User, text: string, values: unknown[]) => {
  expect(await tenantRows({ db: owner }, `${text} RETURNING 1`, values, tenantId)).toHaveLength(1);
};
const countEvents = async () => (await Promise.all([here, there].map(eventsOf))).flat().length;

beforeEach(() => owner.query('TRUNCATE event_logs'));

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
      expect(await state(token)).toEqual({
        reasons: ['rotated', null],
        last_used_at: later,
        renewals: 1,
        // Otherwise a session that is in use would be swept, with its devices.
        idle_expires_at: successor.expires_at,
      });
      expect(successor.expires_at.getTime() - later.getTime()).toBe(refreshTokenLifetimeMs);
    }
    const events = await Promise.all([here, there].map(eventsOf));
    const of = ({ user_id, session_uuid }: RefreshTokenRow) => ({
      action: 'session_renewed',
      actor_user_id: user_id,
      actor_kind: 'user',
      session_id: session_uuid,
    });
    const inOrder = (rows: object[]) => rows.map((row) => JSON.stringify(row)).toSorted();
    const [first, second, third] = tokens.map(of);
    expect(inOrder(events[0] ?? [])).toEqual(inOrder([first ?? {}, third ?? {}]));
    expect(events[1]).toEqual([second]);
  });

  test('with the same token: one wins', async () => {
    const token = await openSession(here);
    const results = await Promise.all(Array.from({ length: 5 }, () => exchange(token)));
    expect(results.map(({ outcome }) => outcome).toSorted()).toEqual([
      'exchanged',
      ...Array.from({ length: 4 }, () => 'race'),
    ]);
    // Only the exchange counts.
    expect(await state(token)).toMatchObject({ reasons: ['rotated', null], renewals: 1 });
    expect(await countEvents()).toBe(1);
  });

  test('with the same token: the others are a race also where the limit lets through one', async () => {
    const token = await openSession(here);
    const results = await Promise.all(Array.from({ length: 3 }, () => exchange(token, { limit: 1 })));
    expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(['exchanged', 'race', 'race']);
    expect(await state(token)).toMatchObject({ reasons: ['rotated', null], renewals: 1 });
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
      { status: 'fulfilled', value: { outcome: 'unusable' } },
      { status: 'fulfilled', value: { outcome: 'exchanged' } },
    ]);
    expect(await state(limited)).toEqual({
      reasons: [null],
      last_used_at: now,
      renewals: 0,
      idle_expires_at: limited.expires_at,
    });
    expect((await state(ended)).reasons).toEqual(['session_ended']);
    expect(await countEvents()).toBe(1);
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

test('a window begins with its first renewal, and the next one after its end', async () => {
  const hour = 3_600_000;
  const at = (ms: number) => ({ limit: 2, receivedAt: new Date(now.getTime() + ms) });
  const first = await openSession(here);
  const second = await exchange(first, at(0));
  const third = await exchange(second, at(hour - 1500));
  expect(third.outcome).toBe('exchanged');
  await expect(exchange(third, at(hour - 1500))).rejects.toMatchObject({ headers: { 'retry-after': '2' } });
  await expect(exchange(third, at(hour - 1))).rejects.toMatchObject({ headers: { 'retry-after': '1' } });
  expect((await state(first)).renewals).toBe(2);
  expect((await exchange(third, at(hour))).outcome).toBe('exchanged');
  expect((await state(first)).renewals).toBe(1);
});

test('a token that is unknown, used or expired, or whose session, user or tenant is off, is unusable and changes nothing', async () => {
  const away = await createUser('c');
  const used = await openSession(here);
  await exchange(used);
  const expired = await openSession(here);
  await asOwner(here, `UPDATE refresh_tokens SET expires_at = $2 WHERE id = $1`, [expired.id, later]);
  const over = await openSession(here);
  await asOwner(here, `UPDATE sessions SET absolute_expires_at = $2 WHERE uuid = $1`, [
    over.session_uuid,
    later,
  ]);
  const [ofUser, ofTenant] = [await openSession(there), await openSession(away)];
  await asOwner(there, 'UPDATE users SET is_active = false WHERE id = $1', [there.userId]);
  await owner.query('UPDATE tenants SET is_active = false WHERE id = $1', [away.tenantId]);
  await owner.query('TRUNCATE event_logs');
  try {
    const tokens = [used, expired, over, ofUser, ofTenant];
    const before = await Promise.all(tokens.map(state));
    const unknown = { hash: sha256(randomUUID()) };
    const results = await Promise.all([...tokens, unknown].map((token) => exchange(token)));
    for (const { outcome } of results) expect(outcome).toBe('unusable');
    expect(await Promise.all(tokens.map(state))).toEqual(before);
    expect(await countEvents()).toBe(0);
  } finally {
    await asOwner(there, 'UPDATE users SET is_active = true WHERE id = $1', [there.userId]);
  }
});

test('a token that was used before its session ended is alive no more: its repetition is no reuse', async () => {
  const token = await openSession(here);
  await exchange(token);
  expect(await found(token.hash)).toMatchObject({ is_alive: true, revoked_reason: 'rotated' });
  await asOwner(here, `UPDATE sessions SET revoked_at = $2, revoked_reason = 'logout' WHERE uuid = $1`, [
    token.session_uuid,
    now,
  ]);
  expect(await found(token.hash)).toMatchObject({ is_alive: false, revoked_reason: 'rotated' });
});

describe('one that waits for its session’s lock', () => {
  /** Exchanges a token whose session is locked until `change` is committed. */
  async function meanwhile(
    token: Presented,
    change: (run: Run) => Promise<unknown>,
    options: Parameters<typeof exchange>[1] = {},
  ) {
    const holder = await openTransaction({ db: owner }, token.tenant_id);
    await holder.run('SELECT FROM sessions WHERE uuid = $1 FOR NO KEY UPDATE', [token.session_uuid]);
    await change(holder.run);
    const exchanging = exchange(token, options);
    await holder.awaited();
    await holder.commit();
    return (await exchanging).outcome;
  }
  type Run = Awaited<ReturnType<typeof openTransaction>>['run'];
  const endIt = (token: Presented) => (run: Run) =>
    run(`UPDATE sessions SET revoked_at = $2, revoked_reason = 'logout' WHERE uuid = $1`, [
      token.session_uuid,
      now,
    ]);
  const useIt = (token: Presented, renewals: number) => async (run: Run) => {
    await run(`UPDATE refresh_tokens SET revoked = true, revoked_reason = 'rotated' WHERE id = $1`, [
      token.id,
    ]);
    await run('UPDATE sessions SET renewals = $2, renewals_until = $3 WHERE uuid = $1', [
      token.session_uuid,
      renewals,
      new Date(now.getTime() + 60_000),
    ]);
  };

  test('finds it ended', async () => {
    const token = await openSession(here);
    expect(await meanwhile(token, endIt(token))).toBe('ended');
    expect((await state(token)).renewals).toBe(0);
  });

  test('finds its token used: a race, even where the winner was the last that the limit lets through', async () => {
    for (const renewals of [1, 2]) {
      const token = await openSession(here);
      expect(await meanwhile(token, useIt(token, renewals), { limit: 2 })).toBe('race');
      expect((await state(token)).renewals).toBe(renewals);
    }
  });

  test('too long, fails alone', async () => {
    const [locked, free] = [await openSession(here), await openSession(there)];
    const holder = await openTransaction({ db: owner }, here.tenantId);
    const held = await holder.run('SELECT FROM sessions WHERE uuid = $1 FOR NO KEY UPDATE', [
      locked.session_uuid,
    ]);
    expect(held.rowCount).toBe(1);
    const outcomes = await Promise.allSettled([exchange(locked), exchange(free)]);
    expect(outcomes[0]).toMatchObject({ status: 'rejected', reason: { code: '55P03' } });
    expect(outcomes[1]).toMatchObject({ status: 'fulfilled', value: { outcome: 'exchanged' } });
    await holder.rollback();
    expect((await exchange(locked)).outcome).toBe('exchanged');
  });
});

describe('an exchange whose reply never comes', async () => {
  const server = new URL(url);
  const line = await tcpProxy({ host: server.hostname, port: Number(server.port) });
  const through = connect(8, Object.assign(new URL(url), { host: `127.0.0.1:${line.port}` }).href);
  const by = through;
  const reasons = async (token: Presented) => (await state(token)).reasons;

  /** Exchanges a token, and loses the reply once PostgreSQL has the request. */
  async function unanswered(
    token: Presented,
    { until, ...options }: { until?: () => Promise<unknown>; sealed?: Buffer },
  ) {
    // A connection that is there already: the request is one message.
    await sql`SELECT 1`.execute(by.db);
    line.mute();
    const exchanging = exchange(token, { by, ...options });
    exchanging.catch(() => undefined);
    await (until ?? (() => vi.waitFor(async () => expect(await reasons(token)).toHaveLength(2), 30_000)))();
    line.reset();
    line.forward();
    await expect(exchanging).rejects.toThrow();
  }

  test('is taken back before its token is presented again: no reuse, and no other token works', async () => {
    const token = await openSession(here);
    await unanswered(token, {});
    expect((await exchange(token, { by })).outcome).toBe('exchanged');
    expect(await reasons(token)).toEqual(['rotated', 'rotated', null]);
  });

  test('is taken back by itself, for the instance that is asked next', async () => {
    const token = await openSession(here);
    await unanswered(token, {});
    await vi.waitFor(async () => expect(await reasons(token)).toEqual([null, 'rotated']), 30_000);
    expect((await exchange(token)).outcome).toBe('exchanged');
  });

  test('is taken back also where PostgreSQL comes to it later', async () => {
    const token = await openSession(here);
    const holder = await openTransaction({ db: owner }, here.tenantId);
    await holder.run('SELECT FROM sessions WHERE uuid = $1 FOR NO KEY UPDATE', [token.session_uuid]);
    await unanswered(token, { until: () => holder.awaited() });
    await holder.rollback();
    await vi.waitFor(async () => expect(await reasons(token)).toEqual([null, 'rotated']), 30_000);
    expect((await exchange(token, { by })).outcome).toBe('exchanged');
  });

  test('cannot be made any more once it is taken back', async () => {
    const token = await openSession(there);
    const hashOfSuccessor = sha256(randomUUID());
    for (let count = 0; count < 2; count++)
      await sql`SELECT take_back_renewals(${[token.hash]}, ${[hashOfSuccessor]}, ${later})`.execute(db);
    await expect(exchange(token, { hashOfSuccessor })).rejects.toMatchObject({ code: '23505' });
    expect(await reasons(token)).toEqual([null, 'rotated']);
    expect((await exchange(token)).outcome).toBe('exchanged');
  });

  test('stays where its successor is used, where another was first, and where the session has ended', async () => {
    const [used, lost, ended] = [await openSession(here), await openSession(here), await openSession(there)];
    const exchanged = await exchange(used);
    await exchange(exchanged);
    await exchange(lost);
    const last = await exchange(ended);
    await inTenant(db, there.tenantId, (tx) =>
      endSessions(tx, there.userId, { only: ended.session_uuid }, 'logout', now),
    );
    const hashes = [used.hash, lost.hash, ended.hash, sha256('unknown')];
    const successors = [exchanged.hash, sha256(randomUUID()), last.hash, sha256(randomUUID())];
    await sql`SELECT take_back_renewals(${hashes}, ${successors}, ${later})`.execute(db);
    expect(await reasons(used)).toEqual(['rotated', 'rotated', null]);
    expect(await reasons(lost)).toEqual(['rotated', null, 'rotated']);
    expect((await reasons(ended))[1]).toBe('session_ended');
    for (const token of [used, lost, ended]) expect((await exchange(token)).outcome).toBe('unusable');
  });

  test('stays with a grace, in which a repeated use gets the successor', async () => {
    const token = await openSession(here);
    await unanswered(token, { sealed: Buffer.from('sealed') });
    expect((await exchange(token, { by })).outcome).toBe('unusable');
    expect(await reasons(token)).toEqual(['rotated', null]);
  });
});

describe('an exchange has the time at which it takes effect', () => {
  const rotatedAt = async ({ hash }: Presented) => (await found(hash)).rotated_at?.getTime();
  const waitMs = 300;

  test('also one that waits for a lock, and one that shares its statement', async () => {
    const [first, locked] = [await openSession(here), await openSession(there)];
    const holder = await openTransaction({ db: owner }, there.tenantId);
    await holder.run('SELECT FROM sessions WHERE uuid = $1 FOR NO KEY UPDATE', [locked.session_uuid]);
    const exchanging = Promise.all([exchange(first), exchange(locked)]);
    await holder.awaited();
    await sleep(waitMs);
    await holder.rollback();
    expect((await exchanging).map(({ outcome }) => outcome)).toEqual(['exchanged', 'exchanged']);
    // Before it waited, the app's clock stood at `later`.
    expect(await rotatedAt(first)).toBeGreaterThanOrEqual(later.getTime() + waitMs);
    expect(await rotatedAt(locked)).toBeGreaterThanOrEqual(later.getTime() + waitMs);
  });

  test('also one that waits for a connection', async () => {
    const token = await openSession(here);
    const narrow = connect(1);
    const connection = await narrow.pool.connect();
    const exchanging = exchange(token, { by: narrow, clock: systemClock });
    while (narrow.pool.waitingCount === 0) await sleep(5);
    await sleep(waitMs);
    const released = Date.now();
    connection.release();
    expect((await exchanging).outcome).toBe('exchanged');
    expect(await rotatedAt(token)).toBeGreaterThanOrEqual(released);
  });
});

test('tokens looked up together come in the order in which they are asked for, unknown ones as undefined', async () => {
  const [first, second] = [sha256('first'), sha256('second')];
  const tokens = [await openSession(here, first), await openSession(there, second)];
  const asked = [second, sha256(randomUUID()), first];
  const rows = await Promise.all(asked.map((hash) => findRefreshToken({ db, memory }, { hash, now })));
  expect(rows.map((row) => row?.id)).toEqual([tokens[1]?.id, undefined, tokens[0]?.id]);
});

test('instances that exchange and end sessions of the same users never deadlock', async () => {
  const instances = [connect(), connect(), connect()];
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
      expect((await state(sessions[index] as Presented)).reasons).not.toContain(null);
    }
  }
  expect((await owner.query(deadlocks)).rows).toEqual(before);
});

const deadlocks = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
