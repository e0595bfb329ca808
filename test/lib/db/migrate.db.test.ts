import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { migrateToLatest } from '../../../src/lib/db/migrate.ts';
import { afterwards } from '../../support/cleanup.ts';
import { compileCache } from '../../support/compile-cache.ts';
import { testDatabase } from '../../support/database.ts';
import { tempFolder } from '../../support/temp-folder.ts';

// The runner with migrations of its own; those of the project are in test/migrations.db.test.ts.

const { url, db } = await testDatabase();
const command = join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'migrate.ts');

/** The files of a version of the app, by name. */
let version: Record<string, string>;

beforeEach(async () => {
  version = {};
  await db.query(`
    DROP TABLE IF EXISTS visits, kysely_migration, kysely_migration_lock;
    CREATE TABLE visits (id integer, day date);
    INSERT INTO visits SELECT n, '2026-01-01' FROM generate_series(1, 1000) AS n`);
});

/** Without imports: the folder lies outside of the project. */
function migration(name: string, statements: readonly string[], transaction = true): void {
  const node = `{ kind: 'RawNode', sqlFragments: [], parameters: [] }`;
  version[name] = `${transaction ? '' : 'export const transaction = false;'}
    export async function up(db) {
      for (const sql of ${JSON.stringify(statements)}) {
        await db.executeQuery({ sql, parameters: [], query: ${node}, queryId: { queryId: 'x' } });
      }
    }`;
}

/** Each time from a folder of its own, because Node loads a file once. */
async function migrate() {
  const folder = tempFolder();
  for (const [name, source] of Object.entries(version)) writeFileSync(join(folder, `${name}.ts`), source);
  return await migrateToLatest(url, folder);
}

const concurrently = (index: string) => [
  `DROP INDEX CONCURRENTLY IF EXISTS ${index}`,
  `CREATE INDEX CONCURRENTLY ${index} ON visits (day)`,
];

async function columns(): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'visits'::regclass AND attnum > 0`,
  );
  return rows.map(({ name }) => name);
}

async function indexes(): Promise<{ name: string; valid: boolean }[]> {
  const { rows } = await db.query<{ name: string; valid: boolean }>(
    `SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index
     WHERE indrelid = 'visits'::regclass ORDER BY 1`,
  );
  return rows;
}

/** A transaction that somebody has left open. */
async function openTransaction(statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  afterwards(() => client.end().catch(() => undefined));
  await client.query('BEGIN');
  await client.query(statement);
  return { end: () => client.query('COMMIT') };
}

describe('one that fails', () => {
  test('applies nothing at all of what shares its transaction, and is named', async () => {
    migration('1-good', ['ALTER TABLE visits ADD good integer']);
    migration('2-bad', ['CREATE TABLE nonsense (']);
    await expect(migrate()).rejects.toMatchObject({
      message: 'Migration 2-bad: syntax error at end of input',
      cause: { code: '42601' },
    });
    expect(await columns()).toEqual(['id', 'day']);
    migration('2-bad', ['ALTER TABLE visits ADD mended integer']);
    expect((await migrate()).applied).toEqual(['1-good', '2-bad']);
  });
});

describe('a lock that somebody holds', () => {
  test('ends the migration soon, says so, and keeps nobody waiting; the next run does it', async () => {
    migration('1-column', ['ALTER TABLE visits ADD note text']);
    const reader = await openTransaction('SELECT count(*) FROM visits');
    const migrating = migrate();
    const failed = expect(migrating).rejects.toMatchObject({
      message: expect.stringMatching(
        /^Migration 1-column: somebody else has held a lock.*Try again/,
      ) as string,
      cause: { code: '55P03' },
    });
    // Writers queue behind the one that waits, for less than the two seconds that requests have.
    for (let n = 0; n < 30; n++, await sleep(20)) {
      await db.query(`SET LOCAL lock_timeout = '2s'; INSERT INTO visits VALUES (0, now())`);
    }
    await failed;
    expect(await columns()).toEqual(['id', 'day']);
    await reader.end();
    expect((await migrate()).applied).toEqual(['1-column']);
    expect(await columns()).toEqual(['id', 'day', 'note']);
  });
});

describe('a migration outside of a transaction', () => {
  test('builds its index while others write; those before and after it are applied in theirs', async () => {
    migration('1-before', ['ALTER TABLE visits ADD a integer']);
    migration('2-index', concurrently('visits_by_day'), false);
    migration('3-after', ['ALTER TABLE visits ADD b integer']);
    migration('4-after', ['ALTER TABLE visits ADD c integer']);
    expect((await migrate()).applied).toEqual(['1-before', '2-index', '3-after', '4-after']);
    expect(await columns()).toEqual(['id', 'day', 'a', 'b', 'c']);
    expect(await indexes()).toEqual([{ name: 'visits_by_day', valid: true }]);
    expect(await migrate()).toEqual({ applied: [], ahead: [] });
  });

  test('waits for a transaction that is open, and nobody waits for it', async () => {
    migration('1-index', concurrently('visits_by_day'), false);
    const writer = await openTransaction('INSERT INTO visits VALUES (-1, now())');
    let ended = false;
    const migrating = migrate().finally(() => (ended = true));
    await expect.poll(async () => (await indexes()).length).toBe(1);
    for (let n = 0; n < 100; n++, await sleep(20)) {
      await db.query(`SET LOCAL lock_timeout = '100ms'; UPDATE visits SET day = now() WHERE id = ${n}`);
    }
    expect(ended).toBe(false);
    await writer.end();
    expect((await migrating).applied).toEqual(['1-index']);
    expect(await indexes()).toEqual([{ name: 'visits_by_day', valid: true }]);
  });

  test('that was interrupted is applied again from its beginning; what stands before it stays applied', async () => {
    migration('1-before', ['ALTER TABLE visits ADD a integer']);
    // Ends in the middle: the rows are not unique.
    migration('2-index', ['CREATE UNIQUE INDEX CONCURRENTLY visits_by_day ON visits (day)'], false);
    migration('3-after', ['ALTER TABLE visits ADD b integer']);
    await expect(migrate()).rejects.toThrow(/^Migration 2-index: could not create/);
    expect(await indexes()).toEqual([{ name: 'visits_by_day', valid: false }]);
    expect(await columns()).toEqual(['id', 'day', 'a']);
    migration('2-index', concurrently('visits_by_day'), false);
    expect((await migrate()).applied).toEqual(['2-index', '3-after']);
    expect(await indexes()).toEqual([{ name: 'visits_by_day', valid: true }]);
  });

  test('by three deployments at once: one does it, the others wait without standing in its way', async () => {
    migration('1-index', concurrently('visits_by_day'), false);
    const writer = await openTransaction('INSERT INTO visits VALUES (-1, now())');
    const migrating = Promise.all([1, 2, 3].map(() => migrate()));
    // Longer than PostgreSQL takes to find a deadlock.
    await sleep(1500);
    await writer.end();
    const migrated = await migrating;
    expect(migrated.flatMap(({ applied }) => applied)).toEqual(['1-index']);
    expect(await indexes()).toEqual([{ name: 'visits_by_day', valid: true }]);
  });
});

describe('an older version after a rollback', () => {
  test('finds the database ahead of it and leaves it alone', async () => {
    migration('1-old', ['ALTER TABLE visits ADD a integer']);
    migration('2-new', ['ALTER TABLE visits ADD b integer']);
    await migrate();
    delete version['2-new'];
    expect(await migrate()).toEqual({ applied: [], ahead: ['2-new'] });
    expect(await columns()).toEqual(['id', 'day', 'a', 'b']);
  });

  test('of another line, with migrations of its own, is refused by name', async () => {
    migration('1-old', ['ALTER TABLE visits ADD a integer']);
    migration('3-new', ['ALTER TABLE visits ADD b integer']);
    await migrate();
    delete version['3-new'];
    migration('2-other', ['ALTER TABLE visits ADD c integer']);
    await expect(migrate()).rejects.toThrow('this version does not have: 3-new.');
    expect(await columns()).toEqual(['id', 'day', 'a', 'b']);
  });
});

test('the command says in one line what is wrong, without the password, and ends with status 1', async () => {
  const run = (databaseUrl: string) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const env = { PATH: process.env['PATH'], ...compileCache(), DATABASE_URL: databaseUrl };
      execFile(process.execPath, [command], { env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
    });
  const wrong: [string, RegExp][] = [
    ['postgresql://nobody:secret-17@127.0.0.1:1/none', /ECONNREFUSED/],
    [url.replace(/[^/]+$/, 'test_missing'), /"test_missing" does not exist/],
  ];
  // What the database has been through is not what this version knows.
  const other = await testDatabase();
  await other.db.query(`UPDATE kysely_migration SET name = 'x' || name WHERE name LIKE '%create-roles'`);
  wrong.push([other.url, /does not have: x\d+T\d+-create-roles\./]);
  for (const [databaseUrl, reason] of wrong) {
    const { code, stdout, stderr } = await run(databaseUrl);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(reason);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain(new URL(databaseUrl).password);
  }
  const ahead = await testDatabase();
  await ahead.db.query(`INSERT INTO kysely_migration VALUES ('2999-later', '2999-01-01T00:00:00.000Z')`);
  expect(await run(ahead.url)).toEqual({
    code: 0,
    stdout: 'Nothing to do: a newer version has migrated this database already (2999-later).\n',
    stderr: '',
  });
});
