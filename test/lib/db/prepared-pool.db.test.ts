import { sql } from 'kysely';
import type pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Db, connectDatabase } from '../../../src/lib/db/connect.ts';
import { isDatabaseUnavailable } from '../../../src/lib/db/errors.ts';
import { inTenant } from '../../../src/lib/db/tenant.ts';
import { inTransaction } from '../../../src/lib/db/transaction.ts';
import { testDatabase } from '../../support/database.ts';

// Statements that are prepared by name, and what makes PostgreSQL or a pooler in front of it refuse them.

const { url, db: owner } = await testDatabase();

function connect(poolMax: number, onForgottenStatement?: (error: unknown) => void) {
  const opened = connectDatabase({
    url,
    poolMax,
    onIdleError: () => undefined,
    ...(onForgottenStatement && { onForgottenStatement }),
  });
  onTestFinished(() => opened.pool.end());
  const sent: string[] = [];
  opened.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    Object.assign(client, {
      query: (...args: [string | pg.QueryConfig, ...unknown[]]) => {
        sent.push(typeof args[0] === 'string' ? args[0] : args[0].text);
        return query(...args);
      },
    });
  });
  return { ...opened, sent };
}

/** On the connection that answers. */
const prepared = async (db: Db) =>
  (
    await sql<{ name: string; statement: string }>`
      SELECT name, statement FROM pg_prepared_statements WHERE statement NOT LIKE '%pg_prepared_statements%'`.execute(
      db,
    )
  ).rows;

const backend = async (db: Db) =>
  (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db)).rows[0]?.pid;

/** Stops a statement once it sleeps: a cancellation that comes before is lost. */
const stopAsleep = async (pid: number | undefined, stop: 'pg_cancel_backend' | 'pg_terminate_backend') => {
  const asleep = `SELECT ${stop}(pid) FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'`;
  await expect.poll(async () => (await owner.query(asleep, [pid])).rowCount).toBe(1);
};

const define = (columns: string, values: string) =>
  owner.query(
    `BEGIN; DROP FUNCTION IF EXISTS visits; CREATE FUNCTION visits(n integer) RETURNS TABLE (${columns})
     LANGUAGE sql AS $$ SELECT ${values} $$; GRANT EXECUTE ON FUNCTION visits TO dermagate_app; COMMIT`,
  );
const visits = async (db: Db, n: number) =>
  (await sql<Record<string, number>>`SELECT * FROM visits(${n})`.execute(db)).rows[0];

describe('a statement with parameters', () => {
  test('is prepared once for a connection, for all parameters', async () => {
    const { db } = connect(1);
    for (const number of [1, 2, 3]) await sql`SELECT ${number}::int AS n`.execute(db);
    expect((await prepared(db)).map(({ statement }) => statement)).toEqual(['SELECT $1::int AS n']);
  });

  test('of ever new texts fills no connection: beyond a bound they have no name, and work', async () => {
    const { db } = connect(1);
    for (let length = 1; length <= 300; length += 1) {
      const { rows } = await sql`SELECT ${1}::int AS ${sql.raw(`n${length}`)}`.execute(db);
      expect(rows).toEqual([{ [`n${length}`]: 1 }]);
    }
    expect(await prepared(db)).toHaveLength(250);
  });
});

describe('a migration that changes what a prepared statement returns', () => {
  test('fails no statement, and connections of before are replaced as they are returned', async () => {
    const { db } = connect(3);
    await define('n integer', 'n');
    const all = () => Promise.all(Array.from({ length: 9 }, (_, n) => visits(db, n)));
    for (let round = 0; round < 8; round += 1) await all();
    const before = new Set(await Promise.all(Array.from({ length: 9 }, () => backend(db))));
    await define('n integer, twice integer', 'n, 2 * n');
    expect(await all()).toEqual(Array.from({ length: 9 }, (_, n) => ({ n, twice: 2 * n })));
    const after = await Promise.all(Array.from({ length: 9 }, () => backend(db)));
    expect(after.filter((pid) => before.has(pid))).toEqual([]);
  });

  test('under load fails no statement and no transaction, again and again', async () => {
    const { db } = connect(4);
    await define('n integer', 'n');
    const done = new AbortController();
    let answered = 0;
    const load = Array.from({ length: 8 }, async (_, n) => {
      while (!done.signal.aborted) {
        const row = n % 2 === 0 ? await visits(db, n) : await inTenant(db, 1, (tx) => visits(tx, n));
        expect(row?.['n']).toBe(n);
        answered += 1;
      }
    });
    try {
      for (const round of [1, 2, 3, 4, 5, 6]) {
        const from = answered;
        await Promise.race([...load, expect.poll(() => answered).toBeGreaterThan(from + 100)]);
        await define(
          round % 2 === 0 ? 'n integer' : 'n integer, more text',
          round % 2 === 0 ? 'n' : `n, 'x'`,
        );
      }
      const from = answered;
      await Promise.race([...load, expect.poll(() => answered).toBeGreaterThan(from + 100)]);
    } finally {
      done.abort();
    }
    await Promise.all(load);
  });

  test('repeats a transaction as a whole: what it wrote before is written once', async () => {
    const { db } = connect(1);
    await owner.query('CREATE TABLE written (n integer); GRANT INSERT ON written TO dermagate_app');
    await define('n integer', 'n');
    await visits(db, 0);
    await define('n bigint', 'n::bigint');
    let runs = 0;
    const row = await inTransaction(db, async (tx) => {
      runs += 1;
      await sql`INSERT INTO written VALUES (${runs})`.execute(tx);
      return await visits(tx, 7);
    });
    expect([row, runs]).toEqual([{ n: 7 }, 2]);
    expect((await owner.query('SELECT n FROM written')).rows).toEqual([{ n: 2 }]);
  });
});

test('a pooler that loses prepared statements fails none: from the first on they have no names, which is reported', async () => {
  const reported: unknown[] = [];
  const { db } = connect(1, (error) => reported.push(error));
  const ask = (n: number) => sql<{ n: number }>`SELECT ${n}::int AS n`.execute(db);
  await ask(1);
  await sql`DEALLOCATE ALL`.execute(db);
  expect((await ask(2)).rows).toEqual([{ n: 2 }]);
  expect((await inTenant(db, 1, (tx) => sql<{ n: number }>`SELECT ${3}::int AS n`.execute(tx))).rows).toEqual(
    [{ n: 3 }],
  );
  expect(await prepared(db)).toEqual([]);
  expect(reported).toMatchObject([{ code: '26000' }]);
});

test('a connection that PostgreSQL has ended is not handed out again', async () => {
  const { db } = connect(1);
  for (let round = 0; round < 10; round += 1) {
    const pid = await backend(db);
    const ended = sql`SELECT pg_sleep(5)`.execute(db).catch((error: unknown) => error);
    await stopAsleep(pid, 'pg_terminate_backend');
    expect(await ended).toMatchObject({ code: '57P01' });
    expect(await backend(db)).not.toBe(pid);
  }
});

test('a connection to a server that accepts only reads is unavailable, and not handed out again', async () => {
  const { db } = connect(1);
  const touch = () => sql`UPDATE tenants SET slug = slug WHERE false`.execute(db);
  const pid = await backend(db);
  await sql`SET default_transaction_read_only = on`.execute(db);
  const failure = await touch().catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: '25006' });
  expect(isDatabaseUnavailable(failure)).toBe(true);
  expect(await backend(db)).not.toBe(pid);
});

describe('a transaction', () => {
  const oneStatement = (db: Db) => inTenant(db, 5, (tx) => sql`SELECT ${1}::int AS n`.execute(tx));
  const isClean = async (db: Db) => {
    const { rows } = await sql<{ tenant: string | null; alone: boolean }>`
      SELECT current_setting('app.tenant', true) AS tenant, now() = statement_timestamp() AS alone`.execute(
      db,
    );
    return [rows[0]?.tenant ?? '', rows[0]?.alone];
  };

  test('begins and names its tenant in one message', async () => {
    const { db, sent } = connect(1);
    await oneStatement(db);
    expect(sent).toEqual([`BEGIN; SET LOCAL app.tenant = '5'`, 'SELECT $1::int AS n', 'commit']);
  });

  test('without a statement sends nothing; without a tenant it begins with its first statement', async () => {
    const { db, sent } = connect(1);
    await inTransaction(db, async () => undefined);
    expect(sent).toEqual([]);
    await inTransaction(db, (tx) => sql`SELECT ${1}::int AS n`.execute(tx));
    expect(sent).toEqual(['BEGIN', 'SELECT $1::int AS n', 'commit']);
  });

  test.each([1.5, Number.NaN, Infinity, '1', "1'; DROP TABLE users; --", undefined])(
    'of tenant %s is refused before PostgreSQL is asked',
    async (tenant) => {
      const { db, sent } = connect(1);
      await expect(inTenant(db, tenant as number, async () => undefined)).rejects.toThrow(TypeError);
      expect(sent).toEqual([]);
    },
  );

  test('that fails as it begins leaves its connection clean', async () => {
    const { db } = connect(1);
    const failing = inTransaction(db, (tx) => sql`SELECT 1 / 0`.execute(tx));
    await expect(failing).rejects.toThrow('division by zero');
    expect(await isClean(db)).toEqual(['', true]);
  });

  test('leaves no tenant on a connection: after success, errors of every kind, cancellation', async () => {
    const { db } = connect(2);
    const kinds: ((round: number) => Promise<unknown>)[] = [
      () => oneStatement(db),
      () => inTenant(db, 5, (tx) => sql`SELECT ${1}::int / 0`.execute(tx)),
      () => inTenant(db, 5, () => Promise.reject(new Error('on purpose'))),
      () => inTenant(db, 5, (tx) => sql`SELECT 1 / 0`.execute(tx).catch(() => 'ignored')),
      async () => {
        const cancelled = inTenant(db, 5, async (tx) => {
          const pid = await backend(tx);
          await Promise.all([sql`SELECT pg_sleep(60)`.execute(tx), stopAsleep(pid, 'pg_cancel_backend')]);
        });
        await expect(cancelled).rejects.toMatchObject({ code: '57014' });
      },
    ];
    for (let round = 0; round < 4; round += 1) {
      const ends = await Promise.allSettled(kinds.map((run) => run(round)));
      expect(ends.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'rejected',
        'fulfilled',
      ]);
      expect(await Promise.all([isClean(db), isClean(db)])).toEqual([
        ['', true],
        ['', true],
      ]);
    }
  });
});
