import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { fingerprint } from '../dev/tools/schema/fingerprint.ts';
import { type Column, readCatalogue, type Table } from '../dev/tools/schema/read-catalogue.ts';
import { readSchema, schemaFile } from '../dev/tools/schema/schema-file.ts';
import { allowedValues, generateTableTypes } from '../dev/tools/schema/table-types.ts';
import { query } from '../dev/services/postgres.ts';
import { migrateToLatest } from '../src/lib/db/migrate.ts';
import { testDatabase } from './support/database.ts';

// The database as the migrations leave it, and how it comes about. What must hold of every table and function:
// test/lib/db/catalogue.db.test.ts.

const root = join(import.meta.dirname, '..');
const folder = join(root, 'migrations');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .toSorted();
const functions = readdirSync(join(folder, 'functions'))
  .map((file) => file.replace(/\.sql$/, ''))
  .toSorted();
const all = { applied: names, functions, ahead: [], withoutFile: [] };
const nothing = { applied: [], functions: [], ahead: [], withoutFile: [] };
const { url: databaseUrl, db } = await testDatabase();

/** A database without a table, owned by a role that is no superuser; gone with the test. */
async function emptyDatabase(): Promise<string> {
  const { superuserUrl, owner } = inject('services');
  const name = `test_empty_${randomBytes(6).toString('hex')}`;
  await query(superuserUrl, `CREATE DATABASE ${name} OWNER ${owner.role}`);
  onTestFinished(async () => void (await query(superuserUrl, `DROP DATABASE ${name} WITH (FORCE)`)));
  const { role: username, password } = owner;
  return Object.assign(new URL(superuserUrl), { username, password, pathname: name }).href;
}

const tablesOf = async (url: string) =>
  (await query(url, "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")) as {
    name: string;
  }[];

describe('migrating', () => {
  test('an empty database gets every migration, in the order of their names, and every function', async () => {
    const url = await emptyDatabase();
    expect(await migrateToLatest(url, folder)).toEqual(all);
    expect((await tablesOf(url)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['tenants', 'users', 'sessions', 'event_logs', 'ml_diagnosis_results']),
    );
  });

  test('a second time changes nothing', async () => {
    const url = await emptyDatabase();
    await migrateToLatest(url, folder);
    const tables = await tablesOf(url);
    expect(await migrateToLatest(url, folder)).toEqual(nothing);
    expect(await tablesOf(url)).toEqual(tables);
  });

  test('three runs at once: one migrates, the others wait and find nothing to do', async () => {
    const url = await emptyDatabase();
    const migrated = await Promise.all([1, 2, 3].map(() => migrateToLatest(url, folder)));
    expect(migrated.filter(({ applied }) => applied.length > 0)).toEqual([all]);
    expect(migrated.filter(({ applied }) => applied.length === 0)).toEqual([nothing, nothing]);
  });

  test('two databases of one server migrate at once, although they share its roles', async () => {
    const urls = await Promise.all([emptyDatabase(), emptyDatabase()]);
    const migrated = await Promise.all(urls.map((url) => migrateToLatest(url, folder)));
    expect(migrated).toEqual([all, all]);
  });

  test('a migration is named by a number and what it does, so that they sort', () => {
    for (const name of names) expect(name).toMatch(/^\d\d-[a-z]+(?:-[a-z]+)+$/);
    expect(new Set(names.map((name) => name.slice(0, 2))).size).toBe(names.length);
  });
});

describe('what `npm run db:schema` writes', () => {
  const [inputs = '', ...lines] = readFileSync(schemaFile, 'utf8').replaceAll('\r\n', '\n').split('\n');
  const schema = lines.join('\n');

  test('src/lib/db/tables.ts is what the migrations make', async () => {
    await generateTableTypes(databaseUrl, true);
  });

  test('of the columns of text those are unions whose CHECK is a list of values, and nothing else', async () => {
    const checks = {
      listed: "listed IN ('draft', 'final')",
      single: "single IN ('draft')",
      widened: "widened IN ('draft', 'final') OR widened = listed",
      excluding: "excluding NOT IN ('draft', 'final')",
      numbered: 'numbered IN (1, 2)',
    };
    const columns = Object.entries(checks).map(
      ([name, check]) => `${name} ${name === 'numbered' ? 'integer' : 'text'}, CHECK (${check})`,
    );
    const other = await testDatabase();
    await other.db.query(`CREATE TABLE visits (${columns.join(', ')})`);
    const visits = (await readCatalogue(other.url)).tables.find(({ name }) => name === 'visits');
    const values = visits?.columns.map((column) => [column.name, allowedValues(visits, column)]) ?? [];
    expect(Object.fromEntries(values)).toEqual({ listed: ['draft', 'final'] });
  });

  test('a value that a type cannot spell is refused rather than left out', () => {
    const definition = `CHECK (status = ANY (ARRAY['it''s'::text, 'final'::text]))`;
    const constraints = [{ name: 'visits_status_check', definition, awaits: null }];
    const status = { name: 'status', type: 'text' } as Column;
    expect(() => allowedValues({ constraints } as Table, status)).toThrow('The column status allows');
  });

  test('migrations/schema.sql is what the migrations make, and its first line what `npm run verify` compares', async () => {
    expect(schema).toBe(await readSchema(databaseUrl));
    expect(inputs).toBe(`-- Inputs: sha256 ${fingerprint(schema)}`);
  });

  test('migrations/schema.sql lacks nothing: with the functions it makes the same database', async () => {
    const url = await emptyDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(`SET check_function_bodies = off; BEGIN; ${schema}`);
    await client.query('GRANT CREATE ON SCHEMA public TO dermagate_lookup');
    for (const name of functions) {
      await client.query(`${readFileSync(join(folder, 'functions', `${name}.sql`), 'utf8')}; RESET ROLE`);
    }
    await client.query('COMMIT');
    // What stands above the tables is about roles.
    const body = (text: string) => text.slice(text.indexOf('-- tenants ---'));
    expect(body(await readSchema(url))).toBe(body(schema));
  });

  test.each([
    ['a view', 'CREATE VIEW emails AS SELECT email FROM users'],
    ['a type', `CREATE TYPE colour AS ENUM ('red')`],
    ['a generated column', 'ALTER TABLE users ADD upper text GENERATED ALWAYS AS (upper(email)) STORED'],
    ['a right on a column', 'GRANT SELECT (sha256) ON applied_functions TO dermagate_app'],
  ])('%s is refused rather than left out of migrations/schema.sql', async (_what, statement) => {
    const other = await testDatabase();
    await other.db.query(statement);
    await expect(readSchema(other.url)).rejects.toThrow('cannot read');
  });
});

describe('partitions of the event log', () => {
  test('every category has those of this period and the next two, and creating them again changes nothing', async () => {
    const { rows } = await db.query<{ name: string }>(`
      SELECT inhrelid::regclass::text AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhparent
      WHERE c.relname LIKE 'event_logs_%' ORDER BY 1`);
    for (const category of ['auth', 'ai', 'system', 'access', 'case', 'admin']) {
      const own = rows.filter(({ name }) => name.startsWith(`event_logs_${category}_`));
      expect(own.length).toBeGreaterThanOrEqual(4);
      expect(own.map(({ name }) => name)).toContain(`event_logs_${category}_default`);
    }
    const again = await db.query('SELECT create_event_log_partitions() AS made');
    expect(again.rows).toEqual([{ made: 0 }]);
  });

  test('a partition within its retention is not dropped, and nothing but partitions is dropped', async () => {
    const { rows } = await db.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhparent
       WHERE c.relname = 'event_logs_auth' AND inhrelid::regclass::text !~ 'default' LIMIT 1`,
    );
    const drop = (name: string) => db.query('SELECT drop_event_log_partition($1, now())', [name]);
    await expect(drop(rows[0]?.name ?? '')).rejects.toThrow('must still be kept');
    // The database's clock counts when the app names a later time.
    const in20Years = db.query(`SELECT drop_event_log_partition($1, now() + interval '20 years')`, [
      rows[0]?.name ?? '',
    ]);
    await expect(in20Years).rejects.toThrow('must still be kept');
    for (const name of [
      'users',
      'event_logs',
      'event_logs_auth',
      'event_logs_auth_default',
      'event_logs_auth_2020m01; DROP TABLE users',
      '',
    ]) {
      await expect(drop(name)).rejects.toThrow(/not a partition|no such partition/);
    }
  });

  test('an expired partition is dropped', async () => {
    await db.query(`CREATE TABLE event_logs_auth_2020m01 PARTITION OF event_logs_auth
                    FOR VALUES FROM ('2020-01-01') TO ('2020-02-01')`);
    await db.query('SELECT drop_event_log_partition($1, now())', ['event_logs_auth_2020m01']);
    const { rows } = await db.query("SELECT to_regclass('event_logs_auth_2020m01') AS found");
    expect(rows).toEqual([{ found: null }]);
  });
});

test('the tests never run on a database in use', async () => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query('SELECT current_database() AS name');
  expect((rows as { name: string }[])[0]?.name).toMatch(/^test_[0-9a-f]{12}$/);
});
