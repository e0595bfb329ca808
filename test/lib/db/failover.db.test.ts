import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { query } from '../../../dev/services/postgres.ts';
import { connectDatabase, type DatabaseOptions } from '../../../src/lib/db/connect.ts';
import { isDatabaseUnavailable } from '../../../src/lib/db/errors.ts';
import { isDatabaseReachable } from '../../../src/lib/db/reachable.ts';
import { createLog } from '../../../src/lib/telemetry/log.ts';
import { me, refresh, register } from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';
import { tcpProxy } from '../../support/tcp-proxy.ts';

// The database goes away while requests run, as in a failover: 503 meanwhile, and the same process goes on after it.

const app = await testApp({ alone: true });
const account = await register(app);
const server = new URL(app.databaseUrl);

/** Requests without pause, ten at a time, until told to stop; what they were answered. */
function underLoad(ask: () => Promise<Response>) {
  const replies: { status: number; code: string | undefined }[] = [];
  const stop = new AbortController();
  const one = async () => {
    while (!stop.signal.aborted) {
      const reply = await ask();
      const { code } = (await reply.json()) as { code?: string };
      replies.push({ status: reply.status, code });
    }
  };
  const workers = Promise.all(Array.from({ length: 10 }, one));
  // Also when the test ends by a failure, before the app is gone.
  onTestFinished(async () => {
    stop.abort();
    await workers.catch(() => undefined);
  });
  return {
    replies,
    /** Waits for `count` further answers that `matches`. */
    async until(matches: (reply: { status: number }) => boolean, count = 20): Promise<void> {
      const from = replies.length;
      while (replies.slice(from).filter(matches).length < count) await sleep(5);
    },
    async stop() {
      stop.abort();
      await workers;
    },
  };
}

const isOk = ({ status }: { status: number }) => status === 200;
const isUnavailable = ({ status }: { status: number }) => status === 503;

function expectOnlyOutages(replies: { status: number; code: string | undefined }[]): void {
  const others = replies.filter((reply) => !isOk(reply) && !isUnavailable(reply));
  expect(others).toEqual([]);
  expect(new Set(replies.filter(isUnavailable).map(({ code }) => code))).toEqual(new Set(['unavailable']));
}

const endBackends = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = $1 AND application_name = 'dermagate'`;

test('every backend is ended under load, again and again: only 503, then 200 without a restart', async () => {
  const load = underLoad(() => me(app, account.access_token));
  await load.until(isOk);
  const { superuserUrl } = inject('services');
  for (let round = 0; round < 10; round++) {
    await expect.poll(() => query(superuserUrl, endBackends, [server.pathname.slice(1)])).not.toEqual([]);
    await load.until(isOk, 5);
  }
  const before = load.replies.length;
  await load.until(isOk, 50);
  await load.stop();
  expectOnlyOutages(load.replies);
  // Ended once and for all: what follows the last one is well but for what was under way.
  expect(load.replies.slice(before).filter(isUnavailable).length).toBeLessThanOrEqual(10);
  expect((await app.request('/health')).status).toBe(200);
});

test('the server resets every connection for a while under load: only 503, then 200 without a restart', async () => {
  const line = await tcpProxy({ host: server.hostname, port: Number(server.port) });
  const behind = Object.assign(new URL(app.databaseUrl), { host: `127.0.0.1:${line.port}` }).href;
  const instance = await anotherInstance(app, { DATABASE_URL: behind });
  const load = underLoad(() => me(instance, account.access_token));
  await load.until(isOk);
  for (let round = 0; round < 3; round++) {
    line.reset();
    await load.until(isUnavailable);
    line.forward();
    await load.until(isOk);
  }
  await load.stop();
  expectOnlyOutages(load.replies);
});

test('a refresh that an outage cuts off is no reuse: the session lives on', async () => {
  const line = await tcpProxy({ host: server.hostname, port: Number(server.port) });
  const behind = Object.assign(new URL(app.databaseUrl), { host: `127.0.0.1:${line.port}` }).href;
  const instance = await anotherInstance(app, { DATABASE_URL: behind });
  const { refresh_token: token } = await register(instance);
  line.reset();
  expect((await refresh(instance, token)).status).toBe(503);
  line.forward();
  expect((await refresh(instance, token)).status).toBe(200);
});

test('connections that died together, unnoticed, are not a database that is gone', async () => {
  const line = await tcpProxy({ host: server.hostname, port: Number(server.port) });
  const url = Object.assign(new URL(app.databaseUrl), { host: `127.0.0.1:${line.port}` }).href;
  const { db, pool } = connectDatabase({ url, poolMax: 5, onIdleError: () => undefined });
  onTestFinished(() => pool.end());
  const told: string[] = [];
  const log = createLog((_level, text) => void told.push(text));
  for (const die of [line.forget, line.forward, line.forget]) {
    await Promise.all(Array.from({ length: 5 }, () => sql`SELECT pg_sleep(0.05)`.execute(db)));
    expect(pool.idleCount).toBe(5);
    die();
    expect([await isDatabaseReachable(db, { timeoutMs: 5000, poolMax: 5 }, log), told]).toEqual([true, []]);
  }
});

test('a database that cuts every connection off is gone, until it is back', async () => {
  const line = await tcpProxy({ host: server.hostname, port: Number(server.port) });
  const url = Object.assign(new URL(app.databaseUrl), { host: `127.0.0.1:${line.port}` }).href;
  const { db, pool } = connectDatabase({ url, poolMax: 3, onIdleError: () => undefined });
  onTestFinished(() => pool.end());
  let opened = 0;
  pool.on('connect', () => opened++);
  const told: string[] = [];
  const log = createLog((_level, text) => void told.push(text));
  line.reset();
  expect(await isDatabaseReachable(db, { timeoutMs: 5000, poolMax: 3 }, log)).toBe(false);
  expect(told).toHaveLength(1);
  expect(opened).toBe(0);
  line.forward();
  expect(await isDatabaseReachable(db, { timeoutMs: 5000, poolMax: 3 }, log)).toBe(true);
});

describe('what hangs inside the database is ended', () => {
  function connect(options: Partial<DatabaseOptions> = {}) {
    const opened = connectDatabase({
      url: app.databaseUrl,
      poolMax: 1,
      onIdleError: () => undefined,
      ...options,
    });
    onTestFinished(() => opened.pool.end());
    return opened;
  }

  test('a statement after ten seconds, an idle transaction after fifteen', async () => {
    const { db } = connect();
    const { rows } = await sql<{ name: string; setting: string }>`
      SELECT name, setting FROM pg_settings WHERE name IN
        ('statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout') ORDER BY name`.execute(
      db,
    );
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      idle_in_transaction_session_timeout: '15000',
      lock_timeout: '2000',
      statement_timeout: '10000',
    });
  });

  test('both count as the database being unavailable, and the pool goes on', async () => {
    const { db } = connect();
    // The same limits, shorter, so that the test need not wait for them.
    const hanging = db.connection().execute(async (one) => {
      await sql`SET statement_timeout = 50`.execute(one);
      try {
        return await sql`SELECT pg_sleep(30)`.execute(one);
      } finally {
        await sql`RESET statement_timeout`.execute(one);
      }
    });
    expect(await hanging.catch(isDatabaseUnavailable)).toBe(true);
    const idle = db.transaction().execute(async (tx) => {
      await sql`SET LOCAL idle_in_transaction_session_timeout = 50`.execute(tx);
      await sleep(400);
      return await sql`SELECT 1`.execute(tx);
    });
    expect(await idle.catch(isDatabaseUnavailable)).toBe(true);
    expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });

  test('a token is the password: the pool signs in with it, and a wrong one is an outage', async () => {
    const withoutPassword = Object.assign(new URL(app.databaseUrl), { password: '' }).href;
    const password = decodeURIComponent(server.password);
    const right = connect({ url: withoutPassword, token: async () => password });
    expect((await sql`SELECT current_user AS role`.execute(right.db)).rows).toEqual([
      { role: 'dermagate_app' },
    ]);
    const wrong = connect({ url: withoutPassword, token: async () => 'expired' });
    const refusal = await sql`SELECT 1`.execute(wrong.db).catch((error: unknown) => error);
    expect(isDatabaseUnavailable(refusal)).toBe(true);
  });
});
