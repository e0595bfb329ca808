import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { OtherMigrations } from '../../../src/lib/db/applied-migrations.ts';
import { migrateToLatest } from '../../../src/lib/db/migrate.ts';
import { afterwards } from '../../support/cleanup.ts';
import { compileCache } from '../../support/compile-cache.ts';
import { testDatabase } from '../../support/database.ts';
import { tempFolder } from '../../support/temp-folder.ts';

// The runner with migrations of its own; those of the project are in test/migrations.db.test.ts.

const { url, db } = await testDatabase();
const command = join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'migrate.ts');

/** The migrations of a version of the app, and its functions, by name. */
let version: Record<string, string>;
let functions: Record<string, string>;

beforeEach(async () => {
  version = {};
  functions = {};
  await db.query(`
    DROP TABLE IF EXISTS visits, kysely_migration, kysely_migration_lock, applied_migrations, applied_functions;
    DROP FUNCTION IF EXISTS count_visits, first_visit, late_visits;
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

/** The source of a migration with a parameter. */
const insertsVisit = (id: number) => `
  export async function up(db) {
    const node = { kind: 'RawNode', sqlFragments: [], parameters: [] };
    const sql = 'INSERT INTO visits VALUES ($1, now())';
    await db.executeQuery({ sql, parameters: [${id}], query: node, queryId: { queryId: 'x' } });
  }`;

/** Each time from a folder of its own, because Node loads a file once. */
async function migrate() {
  const folder = tempFolder();
  for (const [name, source] of Object.entries(version)) writeFileSync(join(folder, `${name}.ts`), source);
  mkdirSync(join(folder, 'functions'));
  for (const [name, text] of Object.entries(functions)) {
    writeFileSync(join(folder, 'functions', `${name}.sql`), text);
  }
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

/** A transaction that stays open. */
async function openTransaction(statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  afterwards(() => client.end().catch(() => undefined));
  await client.query('BEGIN');
  await client.query(statement);
  return { end: () => client.query('COMMIT') };
}

describe('one that fails', () => {
  test('leaves nothing of its transaction applied, and is named', async () => {
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

describe('a lock that another transaction holds', () => {
  test('ends the migration soon, is named, and delays no request; the next run applies it', async () => {
    migration('1-column', ['ALTER TABLE visits ADD note text']);
    const reader = await openTransaction('SELECT count(*) FROM visits');
    const migrating = migrate();
    const failed = expect(migrating).rejects.toMatchObject({
      message: expect.stringMatching(
        /^Migration 1-column: another transaction holds a lock.*Try again/,
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
  test('builds its index while requests write; those before and after it share transactions of their own', async () => {
    migration('1-before', ['ALTER TABLE visits ADD a integer']);
    migration('2-index', concurrently('visits_by_day'), false);
    migration('3-after', ['ALTER TABLE visits ADD b integer']);
    migration('4-after', ['ALTER TABLE visits ADD c integer']);
    expect((await migrate()).applied).toEqual(['1-before', '2-index', '3-after', '4-after']);
    expect(await columns()).toEqual(['id', 'day', 'a', 'b', 'c']);
    expect(await indexes()).toEqual([{ name: 'visits_by_day', valid: true }]);
    expect(await migrate()).toMatchObject({ applied: [], ahead: [] });
  });

  test('waits for open transactions, and no request waits for it', async () => {
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

  test('that indexes a partitioned table by the recipe fails rather than hold up writers, and is applied by the next run', async () => {
    await db.query(`
      DROP TABLE visits;
      CREATE TABLE visits (id integer, day date) PARTITION BY LIST (id);
      CREATE TABLE visits_rest PARTITION OF visits DEFAULT`);
    const short = `SET lock_timeout = '1500ms'`;
    const long = `SET lock_timeout = '5min'`;
    const recipe = [
      short,
      'DROP INDEX IF EXISTS visits_by_day',
      'CREATE INDEX visits_by_day ON ONLY visits (day)',
      long,
      'DROP INDEX CONCURRENTLY IF EXISTS visits_rest_by_day',
      'CREATE INDEX CONCURRENTLY visits_rest_by_day ON visits_rest (day)',
      short,
      'ALTER INDEX visits_by_day ATTACH PARTITION visits_rest_by_day',
    ];
    migration('1-index', recipe, false);
    const writer = await openTransaction('INSERT INTO visits VALUES (1, now())');
    const migrating = expect(migrate()).rejects.toThrow(/another transaction holds a lock/);
    await expect
      .poll(async () => {
        const { rows } = await db.query(
          'SELECT FROM pg_locks WHERE NOT granted AND relation = $1::regclass',
          ['visits'],
        );
        return rows.length;
      })
      .toBe(1);
    await db.query(`SET LOCAL lock_timeout = '2s'; INSERT INTO visits VALUES (2, now())`);
    await migrating;
    await writer.end();
    expect((await migrate()).applied).toEqual(['1-index']);
    expect(await indexes()).toEqual([{ name: 'visits_by_day', valid: true }]);
  });

  test('that was interrupted is applied again from its beginning; those before it stay applied', async () => {
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

  test('by three deployments at once is applied by one, while the others wait without blocking it', async () => {
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
  test('leaves a newer database alone', async () => {
    migration('1-old', ['ALTER TABLE visits ADD a integer']);
    migration('2-new', ['ALTER TABLE visits ADD b integer']);
    await migrate();
    delete version['2-new'];
    expect(await migrate()).toMatchObject({ applied: [], ahead: ['2-new'] });
    expect(await columns()).toEqual(['id', 'day', 'a', 'b']);
  });

  test('with migrations of its own is refused, and the unknown ones are named', async () => {
    migration('1-old', ['ALTER TABLE visits ADD a integer']);
    migration('3-new', ['ALTER TABLE visits ADD b integer']);
    await migrate();
    delete version['3-new'];
    migration('2-other', ['ALTER TABLE visits ADD c integer']);
    await expect(migrate()).rejects.toThrow('2-other was never applied; 3-new is unknown to this version.');
    expect(await columns()).toEqual(['id', 'day', 'a', 'b']);
  });

  test('is refused where the newer one has changed what it knows', async () => {
    migration('1-old', ['ALTER TABLE visits ADD a integer']);
    migration('2-new', ['ALTER TABLE visits ADD b integer']);
    await migrate();
    delete version['2-new'];
    migration('1-old', ['ALTER TABLE visits ADD c integer']);
    await expect(migrate()).rejects.toThrow('1-old has changed; 2-new is unknown to this version.');
  });
});

describe('a database that was made by other migrations', () => {
  const noteAdded = ['ALTER TABLE visits ADD note text'];

  beforeEach(async () => {
    migration('1-first', noteAdded);
    migration('2-second', []);
    await migrate();
  });

  test('is refused when one has changed, with what differs and what to do, and stays as it is', async () => {
    migration('1-first', ['ALTER TABLE visits ADD note text, ADD reason text']);
    migration('3-third', ['ALTER TABLE visits ADD third text']);
    functions['late_visits'] = 'no SQL';
    const refused = migrate();
    await expect(refused).rejects.toBeInstanceOf(OtherMigrations);
    await expect(refused).rejects.toMatchObject({
      differences: '1-first has changed; 3-third was never applied',
      message: expect.stringMatching(
        /Nothing was changed\. Name an empty database in DATABASE_URL/,
      ) as string,
    });
    expect(await columns()).toEqual(['id', 'day', 'note']);
  });

  test('is refused when a value changes that a statement takes', async () => {
    version['2-second'] = insertsVisit(1);
    await expect(migrate()).rejects.toThrow('2-second has changed');
    await db.query('DROP TABLE kysely_migration, applied_migrations');
    await db.query('ALTER TABLE visits DROP note');
    await migrate();
    version['2-second'] = insertsVisit(2);
    await expect(migrate()).rejects.toThrow('2-second has changed');
  });

  test('is refused when one comes before those that it has', async () => {
    migration('1-before', []);
    await expect(migrate()).rejects.toThrow('1-before was never applied.');
  });

  test('is refused when it is older than checksums, however many its migrations are', async () => {
    await db.query('DROP TABLE applied_migrations');
    await expect(migrate()).rejects.toThrow('1-first and 1 more have changed.');
    await db.query(`UPDATE kysely_migration SET name = '2026' || name`);
    await expect(migrate()).rejects.toThrow(
      '1-first and 1 more were never applied; 20261-first and 1 more are unknown to this version.',
    );
  });

  test('is not one whose migrations are only written otherwise, or go on', async () => {
    version['1-first'] = `// The reason.\n${version['1-first']}`;
    migration('3-third', ['ALTER TABLE visits ADD third text']);
    expect((await migrate()).applied).toEqual(['3-third']);
    expect((await migrate()).applied).toEqual([]);
  });

  test('is not one in which a migration failed that has been mended since', async () => {
    migration('3-third', ['CREATE TABLE nonsense (']);
    await expect(migrate()).rejects.toThrow('Migration 3-third');
    migration('3-third', ['ALTER TABLE visits ADD third text']);
    expect((await migrate()).applied).toEqual(['3-third']);
  });

  test('one that fails without a statement is named', async () => {
    version['3-third'] = `export async function up(db) { throw new Error('the reason'); }`;
    await expect(migrate()).rejects.toThrow('Migration 3-third: the reason');
  });
});

describe('functions', () => {
  /** Returns `value`; as the text of a file. */
  const returning = (name: string, value: string) =>
    `CREATE OR REPLACE FUNCTION ${name}() RETURNS integer LANGUAGE sql AS $$ SELECT ${value} $$;`;
  const call = async (name: string) =>
    (await db.query<{ value: number }>(`SELECT ${name}() AS value`)).rows[0]?.value;

  beforeEach(() => {
    functions = {
      count_visits: returning('count_visits', 'count(*)::integer FROM visits'),
      first_visit: returning('first_visit', 'min(id) FROM visits'),
    };
  });

  test('are applied after the migrations, and again when their text changes, those alone', async () => {
    migration('1-table', ['CREATE TABLE IF NOT EXISTS visits (id integer)']);
    expect(await migrate()).toMatchObject({
      applied: ['1-table'],
      functions: ['count_visits', 'first_visit'],
    });
    expect([await call('count_visits'), await call('first_visit')]).toEqual([1000, 1]);
    expect(await migrate()).toMatchObject({ applied: [], functions: [] });
    functions['first_visit'] = returning('first_visit', '17');
    expect(await migrate()).toMatchObject({ applied: [], functions: ['first_visit'] });
    expect([await call('count_visits'), await call('first_visit')]).toEqual([1000, 17]);
  });

  test('may call each other, whatever the order of their names', async () => {
    functions['count_visits'] = returning('count_visits', 'first_visit() + late_visits()');
    functions['late_visits'] = returning('late_visits', '41');
    expect((await migrate()).functions).toEqual(['count_visits', 'first_visit', 'late_visits']);
    expect(await call('count_visits')).toBe(42);
  });

  test.each([
    ['that do not parse', 'CREATE FUNCTION late_visits(', 'syntax error'],
    [
      'whose body names what is not there',
      returning('late_visits', 'no_such_column FROM visits'),
      'no_such_column',
    ],
    [
      'whose return type has changed',
      'CREATE OR REPLACE FUNCTION late_visits() RETURNS text LANGUAGE sql AS $$ SELECT 1::text $$',
      'cannot change return type',
    ],
  ])('%s leave every function as it was, and the file is named', async (_what, text, reason) => {
    functions['late_visits'] = returning('late_visits', '3');
    await migrate();
    functions['first_visit'] = returning('first_visit', '17');
    functions['late_visits'] = text;
    const failed = migrate();
    await expect(failed).rejects.toThrow(/^Function late_visits\.sql: /);
    await expect(failed).rejects.toThrow(reason);
    expect([await call('first_visit'), await call('late_visits')]).toEqual([1, 3]);
    functions['late_visits'] = returning('late_visits', '4');
    expect((await migrate()).functions).toEqual(['first_visit', 'late_visits']);
    expect([await call('first_visit'), await call('late_visits')]).toEqual([17, 4]);
  });

  test('are applied once by three deployments at once', async () => {
    const migrated = await Promise.all([1, 2, 3].map(() => migrate()));
    expect(migrated.flatMap((each) => each.functions)).toEqual(['count_visits', 'first_visit']);
  });

  test('that wait for a lock end soon, the file is named, and the next run applies it', async () => {
    functions['first_visit'] = `LOCK TABLE visits; ${functions['first_visit']}`;
    const reader = await openTransaction('SELECT count(*) FROM visits');
    await expect(migrate()).rejects.toThrow(
      /^Function first_visit\.sql: another transaction holds a lock.*Try again/,
    );
    await reader.end();
    expect((await migrate()).functions).toEqual(['count_visits', 'first_visit']);
  });

  test('stay as they are in a database that a newer version has migrated', async () => {
    migration('1-old', []);
    migration('2-new', []);
    await migrate();
    delete version['2-new'];
    functions['first_visit'] = returning('first_visit', '17');
    expect(await migrate()).toMatchObject({ functions: [], ahead: ['2-new'] });
    expect(await call('first_visit')).toBe(1);
  });

  test('whose file is gone stay and are reported, until a migration drops them', async () => {
    await migrate();
    delete functions['first_visit'];
    expect(await migrate()).toMatchObject({ functions: [], withoutFile: ['first_visit'] });
    expect(await call('first_visit')).toBe(1);
    migration('1-drop', ['DROP FUNCTION first_visit']);
    expect(await migrate()).toMatchObject({ applied: ['1-drop'], withoutFile: [] });
    functions['first_visit'] = returning('first_visit', '17');
    expect((await migrate()).functions).toEqual(['first_visit']);
  });

  test('of the lookup role are replaced, although the role that migrates does not own them', async () => {
    const asLookup = (value: string) =>
      `SET LOCAL ROLE dermagate_lookup;\n${returning('late_visits', value)}`;
    functions = { late_visits: asLookup('3') };
    await migrate();
    functions = { late_visits: asLookup('4'), count_visits: returning('count_visits', '5') };
    await migrate();
    const { rows } = await db.query(`
      SELECT proname AS name, proowner::regrole::text AS owner,
        has_schema_privilege('dermagate_lookup', 'public', 'CREATE') AS may_create
      FROM pg_proc WHERE proname IN ('late_visits', 'count_visits') ORDER BY 1`);
    expect(rows).toEqual([
      { name: 'count_visits', owner: 'dermagate', may_create: false },
      { name: 'late_visits', owner: 'dermagate_lookup', may_create: false },
    ]);
    expect(await call('count_visits')).toBe(5);
  });
});

test('the command reports a failure in one line, without the password, and exits with status 1', async () => {
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
  const other = await testDatabase();
  await other.db.query(`UPDATE applied_migrations SET sha256 = 'x' WHERE name = '01-create-roles'`);
  wrong.push([other.url, /other migrations: 01-create-roles has changed\. .* Name an empty database/]);
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
