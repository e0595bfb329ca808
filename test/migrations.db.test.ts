import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { codegenArguments } from '../dev/tools/schema/generate-table-types.ts';
import { query } from '../dev/services/postgres.ts';
import { migrateToLatest } from '../src/lib/db/migrate.ts';
import { testDatabase } from './support/database.ts';

// The database as the migrations leave it: how it comes about, and what its catalog must say of every table.

const root = join(import.meta.dirname, '..');
const folder = join(root, 'migrations');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .toSorted();
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

/** The indexes that a migration builds of tables that are not its own, keeping writers out. */
function locksWriters(source: string): string[] {
  const own = [...source.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/gi)].map(([, table]) => table);
  return [...source.matchAll(/CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)(\S+)\s+ON\s+(\S+)/gi)]
    .filter(([, , table]) => !own.includes(table))
    .map(([, index = '']) => index);
}

describe('migrating', () => {
  test('an empty database applies every migration, in the order of their names', async () => {
    const url = await emptyDatabase();
    expect(await migrateToLatest(url, folder)).toEqual({ applied: names, ahead: [] });
    expect((await tablesOf(url)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['tenants', 'users', 'sessions', 'event_logs', 'ml_diagnosis_results']),
    );
  });

  test('a second time changes nothing', async () => {
    const url = await emptyDatabase();
    await migrateToLatest(url, folder);
    const tables = await tablesOf(url);
    expect(await migrateToLatest(url, folder)).toEqual({ applied: [], ahead: [] });
    expect(await tablesOf(url)).toEqual(tables);
  });

  test('twice at once: one does it, the other waits and finds it done', async () => {
    const url = await emptyDatabase();
    const migrated = await Promise.all([1, 2, 3].map(() => migrateToLatest(url, folder)));
    const applied = migrated.map((each) => each.applied);
    expect(applied.filter(({ length }) => length > 0)).toEqual([names]);
  });

  test('two databases of one server at once, although roles belong to the server', async () => {
    const urls = await Promise.all([emptyDatabase(), emptyDatabase()]);
    const migrated = await Promise.all(urls.map((url) => migrateToLatest(url, folder)));
    expect(migrated.map(({ applied }) => applied)).toEqual([names, names]);
  });

  test('migrations are named so that they sort by age', () => {
    for (const name of names) expect(name).toMatch(/^20\d{6}T\d{4}-[a-z0-9]+(?:-[a-z0-9]+)*$/);
    const stamps = names.map((name) => name.slice(0, 13));
    expect(new Set(stamps).size).toBe(stamps.length);
  });

  // What migrations/README.md asks for, as far as it can be read.
  const newer = names.filter((name) => name > '20261121T1110-index-sweeps');
  test.each(newer)('%s: builds no index of an existing table under a lock', (name) => {
    const source = readFileSync(join(folder, `${name}.ts`), 'utf8');
    expect(locksWriters(source)).toEqual([]);
    expect(/\bCONCURRENTLY\b/i.test(source)).toBe(/^export const transaction = false;$/m.test(source));
  });

  test('and that would be noticed', () => {
    expect(locksWriters('CREATE UNIQUE INDEX of_age ON images (created_at)')).toEqual(['of_age']);
    expect(locksWriters('CREATE INDEX CONCURRENTLY of_age ON images (created_at)')).toEqual([]);
    expect(locksWriters('CREATE TABLE IF NOT EXISTS visits (); CREATE INDEX of_day ON visits (day)')).toEqual(
      [],
    );
  });
});

test('src/lib/db/tables.ts is what the migrations make: `npm run db:types` writes it', () => {
  const run = spawnSync('kysely-codegen', codegenArguments(databaseUrl, true), {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter) },
    shell: process.platform === 'win32',
  });
  expect(`${run.stdout}${run.stderr}`).not.toMatch(/not up-to-date/i);
  expect(run.status).toBe(0);
});

/**
 * Tables whose `tenant_id` is data and no boundary: their rows are found by a hash before the tenant is known, or by
 * a worker that serves all tenants.
 */
const notIsolated = ['outbox_messages', 'idempotency_keys'];

interface Table {
  name: string;
  isolated: boolean;
  forced: boolean;
  partition: boolean;
  app_may: string[];
  owner: string;
}

const { rows: tables } = await db.query<Table>(`
  SELECT c.relname AS name, c.relrowsecurity AS isolated, c.relforcerowsecurity AS forced,
         c.relispartition AS partition, pg_get_userbyid(c.relowner) AS owner,
         ARRAY(SELECT privilege FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS privilege
               WHERE has_table_privilege('dermagate_app', c.oid, privilege)) AS app_may
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
    AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id')
  ORDER BY 1`);

describe('every table with a tenant', () => {
  test('is known to this test', () => {
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'users',
        'physicians',
        'sessions',
        'refresh_tokens',
        'password_reset_tokens',
        'event_logs',
        'ml_diagnosis_results',
      ]),
    );
    for (const name of notIsolated) expect(tables.map((table) => table.name)).toContain(name);
  });

  const isolated = tables.filter(({ name, partition }) => !partition && !notIsolated.includes(name));
  test.each(isolated)('$name: row-level security, forced upon its owner too', (table) => {
    expect(table).toMatchObject({ isolated: true, forced: true });
  });

  test.each(isolated)(
    '$name: every policy of the app asks for the tenant of the transaction',
    async ({ name }) => {
      const { rows } = await db.query<{ policyname: string; condition: string; roles: string[] }>(
        `SELECT policyname, coalesce(qual, with_check) AS condition, roles::text[] FROM pg_policies WHERE tablename = $1`,
        [name],
      );
      const forTheApp = rows.filter(({ roles }) => !(roles.length === 1 && roles[0] === 'dermagate_lookup'));
      expect(forTheApp.length).toBeGreaterThan(0);
      for (const { condition } of forTheApp) {
        expect(condition).toContain(
          "tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::integer",
        );
      }
    },
  );

  const partitions = tables.filter(({ partition }) => partition);
  test('partitions are reached only through their parent, whose policies bind', () => {
    expect(partitions.length).toBeGreaterThan(0);
    for (const { name, app_may } of partitions) expect([name, app_may]).toEqual([name, []]);
  });

  test('that is a parent can be referred to together with its tenant', async () => {
    const { rows } = await db.query<{ child: string; definition: string }>(`
      SELECT conrelid::regclass::text AS child, pg_get_constraintdef(oid) AS definition FROM pg_constraint
      WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0
        AND confrelid IN (SELECT attrelid FROM pg_attribute WHERE attname = 'tenant_id')`);
    expect(rows.length).toBeGreaterThan(0);
    // A key without the tenant would let a row point into another tenant.
    for (const { definition } of rows) expect(definition).toMatch(/^FOREIGN KEY \(tenant_id, /);
  });
});

describe('the role that the app runs as', () => {
  test.each(['dermagate_app', 'dermagate_lookup'])('%s is nothing but a set of rights', async (role) => {
    const { rows } = await db.query('SELECT * FROM pg_roles WHERE rolname = $1', [role]);
    expect(rows).toMatchObject([
      {
        rolsuper: false,
        rolbypassrls: false,
        rolcanlogin: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
      },
    ]);
  });

  test('owns no table and may create none', async () => {
    const { rows } = await db.query(
      `SELECT has_schema_privilege('dermagate_app', 'public', 'CREATE') AS may_create,
              (SELECT count(*)::int FROM pg_class WHERE pg_get_userbyid(relowner) IN ('dermagate_app', 'dermagate_lookup')) AS owned`,
    );
    expect(rows).toEqual([{ may_create: false, owned: 0 }]);
  });

  test('may append to the event log and read it, nothing else', () => {
    expect(tables.find(({ name }) => name === 'event_logs')?.app_may).toEqual(['SELECT', 'INSERT']);
  });

  test('may not rewrite what was answered', () => {
    expect(tables.find(({ name }) => name === 'ml_diagnosis_results')?.app_may).toEqual(['SELECT', 'INSERT']);
  });

  test('may never empty a table, and does not see the list of migrations', async () => {
    const { rows } = await db.query<{ name: string }>(`
      SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        AND (has_table_privilege('dermagate_app', oid, 'TRUNCATE')
             OR relname LIKE 'kysely%' AND has_table_privilege('dermagate_app', oid, 'SELECT'))`);
    expect(rows).toEqual([]);
  });
});

describe('functions that run with the rights of their owner', async () => {
  const { rows: definers } = await db.query<{
    name: string;
    owner: string;
    config: string[] | null;
    everybody: boolean;
  }>(`
    SELECT p.oid::regprocedure::text AS name, pg_get_userbyid(proowner) AS owner, proconfig AS config,
           coalesce(EXISTS (SELECT FROM aclexplode(proacl) WHERE grantee = 0), true) OR proacl IS NULL AS everybody
    FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND prosecdef ORDER BY 1`);

  test('are known to this test', () => {
    expect(definers.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['find_login(text)', 'find_session(uuid)', 'keep_event_log_partitions()']),
    );
  });

  test.each(definers)(
    '$name has a search path of its own and is not for everybody',
    ({ config, everybody }) => {
      expect(config).toContain('search_path=pg_catalog, public, pg_temp');
      expect(everybody).toBe(false);
    },
  );

  test('those that look across tenants belong to a role that can do nothing else', async () => {
    const finding = definers.filter(({ name }) => /^(?:find|list)_/.test(name));
    expect(finding.length).toBeGreaterThan(0);
    for (const { name, owner } of finding) expect([name, owner]).toEqual([name, 'dermagate_lookup']);
    const { rows } = await db.query<{ name: string }>(`
      SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        AND (has_table_privilege('dermagate_lookup', oid, 'INSERT') OR has_table_privilege('dermagate_lookup', oid, 'UPDATE')
             OR has_table_privilege('dermagate_lookup', oid, 'DELETE'))`);
    expect(rows).toEqual([]);
  });
});

describe('partitions of the event log', () => {
  test('those of now and of the next two periods are there for every category, and making them again is harmless', async () => {
    const { rows } = await db.query<{ name: string }>(`
      SELECT inhrelid::regclass::text AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhparent
      WHERE c.relname LIKE 'event_logs_%' ORDER BY 1`);
    for (const category of ['auth', 'ai', 'system', 'access', 'case', 'admin']) {
      const own = rows.filter(({ name }) => name.startsWith(`event_logs_${category}_`));
      expect(own.length).toBeGreaterThanOrEqual(4);
      expect(own.map(({ name }) => name)).toContain(`event_logs_${category}_default`);
    }
    const again = await db.query('SELECT keep_event_log_partitions() AS made');
    expect(again.rows).toEqual([{ made: 0 }]);
  });

  test('what must still be kept is not dropped, and nothing else is dropped under that name', async () => {
    const { rows } = await db.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhparent
       WHERE c.relname = 'event_logs_auth' AND inhrelid::regclass::text !~ 'default' LIMIT 1`,
    );
    const drop = (name: string) => db.query('SELECT drop_event_log_partition($1)', [name]);
    await expect(drop(rows[0]?.name ?? '')).rejects.toThrow('must still be kept');
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

  test('a partition that is old enough goes', async () => {
    await db.query(`CREATE TABLE event_logs_auth_2020m01 PARTITION OF event_logs_auth
                    FOR VALUES FROM ('2020-01-01') TO ('2020-02-01')`);
    await db.query('SELECT drop_event_log_partition($1)', ['event_logs_auth_2020m01']);
    const { rows } = await db.query("SELECT to_regclass('event_logs_auth_2020m01') AS found");
    expect(rows).toEqual([{ found: null }]);
  });
});

test('the tests never run on a database that others use', async () => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query('SELECT current_database() AS name');
  expect((rows as { name: string }[])[0]?.name).toMatch(/^test_[0-9a-f]{12}$/);
});
