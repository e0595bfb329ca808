import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query } from '../../../dev/services/postgres.ts';
import { connectDatabase } from '../../../src/lib/db/connect.ts';
import { appLogin } from '../../support/app-login.ts';
import { afterwards } from '../../support/cleanup.ts';
import { testDatabase } from '../../support/database.ts';

// Functions that run with the rights of their owner, attacked over a connection like that of a deployed app. PostgreSQL
// searches pg_temp before everything else for tables, views and types, unless a search path names it: a temporary view
// `pg_class` was run by the owner of the tables.

const { url, db: owner } = await testDatabase();
const database = new URL(url).pathname.slice(1);
const loginUrl = await appLogin(url);

afterwards(async () => {
  await owner.query(`REVOKE ALL ON DATABASE ${database} FROM dermagate_app`);
});

type Execute = (statement: string) => Promise<Record<string, unknown>[]>;

/** Statements on one connection of a deployed app; its settings and temporary objects end with it. */
async function asApp<T>(work: (execute: Execute) => Promise<T>): Promise<T> {
  const { db } = connectDatabase({ url: loginUrl, poolMax: 1, onIdleError: () => undefined });
  try {
    return await db
      .connection()
      .execute((connection) =>
        work(async (text) => (await sql.raw<Record<string, unknown>>(text).execute(connection)).rows),
      );
  } finally {
    await db.destroy();
  }
}

const refused = { code: '42501' };

/** A function of the attacker's that records as whom it runs, and tries to let everybody read every user. */
const foreignCode = [
  'CREATE TEMPORARY TABLE ran_as (role text)',
  'GRANT INSERT ON ran_as TO PUBLIC',
  `CREATE FUNCTION pg_temp.foreign_code() RETURNS boolean LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO pg_temp.ran_as VALUES (current_user);
     BEGIN
       CREATE POLICY backdoor ON public.users USING (true);
     EXCEPTION WHEN insufficient_privilege OR duplicate_object THEN NULL;
     END;
     RETURN true;
   END $$`,
];

/** But for temporary ones: PostgreSQL removes those of a closed connection a moment later. */
async function relations(): Promise<{ schema: string; name: string }[]> {
  const { rows } = await owner.query<{ schema: string; name: string }>(`
    SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE (n.nspname = 'public' OR n.nspname = 'pg_catalog'
        AND c.relname IN ('pg_class', 'pg_inherits', 'pg_namespace', 'pg_attribute', 'pg_proc'))
      AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition`);
  return rows;
}

/** A view with the columns of a real relation that runs the foreign code; OFFSET 0, or the planner might leave it out. */
async function shadow(execute: Execute, { schema, name }: { schema: string; name: string }): Promise<void> {
  const { rows } = await owner.query<{ name: string; type: string }>(
    `SELECT quote_ident(attname) AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND atttypid <> 'anyarray'::regtype
     ORDER BY attnum`,
    [`${schema}.${name}`],
  );
  const isCatalogue = schema === 'pg_catalog';
  const columns = rows.map(({ name: column, type }) => (isCatalogue ? column : `NULL::${type} AS ${column}`));
  const from = isCatalogue ? ` FROM pg_catalog.${name}` : '';
  await execute(
    `CREATE TEMPORARY VIEW ${name} AS SELECT ${columns.join(', ')}${from} WHERE pg_temp.foreign_code() OFFSET 0`,
  );
  await execute(`GRANT SELECT ON pg_temp.${name} TO PUBLIC`);
}

/** A call of every function of the schema, with arguments of the right types. */
async function calls(): Promise<string[]> {
  const { rows } = await owner.query<{ call: string }>(`
    SELECT format('SELECT * FROM public.%I(%s)', p.proname,
      (SELECT coalesce(string_agg(CASE format_type(t, NULL)
         WHEN 'text' THEN quote_literal('event_logs_auth_2001m01') WHEN 'integer' THEN '1'
         WHEN 'jsonb' THEN quote_literal('{"tenant_id": 1}') WHEN 'uuid' THEN 'gen_random_uuid()'
         WHEN 'timestamp with time zone' THEN 'now()' WHEN 'bytea' THEN quote_literal('x') WHEN 'boolean' THEN 'true'
         ELSE quote_literal('{}') END || '::' || format_type(t, NULL), ', ' ORDER BY at), '')
       FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY AS a(t, at))) AS call
    FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f' ORDER BY 1`);
  return rows.map(({ call }) => call);
}

test('the app logs in as a deployed one does: without rights, until it becomes dermagate_app', async () => {
  const who = await asApp((execute) => execute('SELECT session_user AS login, current_user AS role'));
  expect(who).toEqual([{ login: new URL(loginUrl).username, role: 'dermagate_app' }]);
  await expect(query(loginUrl, 'SELECT FROM users')).rejects.toMatchObject(refused);
});

describe.each([
  ['as dermagate_app', 'SET ROLE dermagate_app'],
  ['as the role that logs in', 'RESET ROLE'],
])('%s', (_who, become) => {
  test.each([
    'CREATE TEMPORARY TABLE mine (id integer)',
    'CREATE TEMPORARY VIEW pg_class AS SELECT * FROM pg_catalog.pg_class',
    'CREATE FUNCTION pg_temp.mine() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
    'CREATE FUNCTION public.mine() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
    'CREATE TABLE public.mine (id integer)',
    'CREATE SCHEMA mine',
    'SET ROLE dermagate_lookup',
  ])('%s is refused', async (statement) => {
    const attempt = asApp(async (execute) => {
      await execute(become);
      await execute(statement);
    });
    await expect(attempt).rejects.toMatchObject(refused);
  });
});

describe('even where temporary objects are allowed, as in a database restored without its grants', async () => {
  await owner.query(`CREATE TABLE event_logs_auth_2001m01 PARTITION OF event_logs_auth
    FOR VALUES FROM ('2001-01-01Z') TO ('2001-02-01Z')`);
  beforeAll(() => owner.query(`GRANT TEMPORARY ON DATABASE ${database} TO dermagate_app`));
  afterAll(() => owner.query(`REVOKE TEMPORARY ON DATABASE ${database} FROM dermagate_app`));

  test('a temporary pg_class makes no partition droppable that must be kept', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits
       WHERE inhparent = 'event_logs_auth'::regclass AND inhrelid::regclass::text ~ '_20[3-9]|_202[6-9]'`,
    );
    const [young = { name: '' }] = rows;
    await asApp(async (execute) => {
      // The partition of this month with the bounds of an old one.
      await execute(`CREATE TEMPORARY VIEW pg_class AS
        SELECT to_regclass('public.${young.name}') AS oid, relname, relpartbound FROM pg_catalog.pg_class
        WHERE relname = 'event_logs_auth_2001m01'`);
      await execute('GRANT SELECT ON pg_temp.pg_class TO PUBLIC');
      const drop = execute(`SELECT drop_event_log_partition('${young.name}', now())`);
      await expect(drop).rejects.toThrow('must still be kept');
    });
  });

  test('no function runs foreign code with the rights of its owner', async () => {
    const ran = await asApp(async (execute) => {
      for (const statement of foreignCode) await execute(statement);
      for (const relation of await relations()) await shadow(execute, relation);
      const called = await calls();
      expect(called.length).toBeGreaterThan(10);
      // What a function makes of such arguments does not matter; only what it runs on the way.
      for (const call of called) await execute(call).catch(() => undefined);
      // The trap works: a statement that names no schema falls into it.
      await execute('SELECT count(*) FROM pg_class');
      return await execute('SELECT DISTINCT role FROM pg_temp.ran_as');
    });
    expect(ran).toEqual([{ role: 'dermagate_app' }]);
    const { rows: policies } = await owner.query(`SELECT FROM pg_policies WHERE policyname = 'backdoor'`);
    expect(policies).toEqual([]);
  });
});

test.each([
  [`SET timezone = 'UTC+167'`, `SET datestyle = 'ISO'`],
  [`SET timezone = 'UTC+167'`, `SET datestyle = 'SQL, DMY'`],
  [`SET timezone = 'Asia/Kolkata'`, `SET datestyle = 'Postgres'`],
])('%s, %s: no partition is older than it is', async (...settings) => {
  const end = new Date(Date.now() - 364.9 * 24 * 60 * 60 * 1000).toISOString();
  await owner.query(`CREATE TABLE event_logs_auth_2002m02 PARTITION OF event_logs_auth
      FOR VALUES FROM ('2002-02-01Z') TO ('${end}')`);
  try {
    await asApp(async (execute) => {
      for (const statement of settings) await execute(statement);
      const due = await execute('SELECT expired_event_log_partitions(now()) AS name');
      expect(due.map(({ name }) => name)).not.toContain('event_logs_auth_2002m02');
      const drop = execute(`SELECT drop_event_log_partition('event_logs_auth_2002m02', now())`);
      await expect(drop).rejects.toThrow('must still be kept');
    });
  } finally {
    await owner.query('DROP TABLE IF EXISTS event_logs_auth_2002m02');
  }
});

/** A zone of the POSIX kind whose clocks were set forward by a fortnight some weeks ago. */
function zoneWithALongSummer(): string {
  // Begins at the start of the month before last, and ends at that of the next one.
  const month = (shift: number) => ((new Date().getUTCMonth() + shift + 12) % 12) + 1;
  return `AAA167BBB-167,M${month(-2)}.1.0,M${month(1)}.5.0`;
}

test('no AI call is swept before its time, whatever the time zone of the app', async () => {
  await asApp(async (execute) => {
    await execute('BEGIN');
    await execute(`SELECT set_config('app.tenant', '1', true)`);
    // 89 days, and a day short of two years.
    for (const hours of [89 * 24, 729 * 24]) {
      await execute(`INSERT INTO ml_diagnosis_results (uuid, tenant_id, kind, input_sha256, anamnesis, outcome,
          latency_ms, language, request_id, created_at)
        VALUES (gen_random_uuid(), 1, 'diagnosis', sha256('x'), '{}', 'ok', 1, 'en', 'young',
          now() - interval '${hours} hours')`);
    }
    await execute('COMMIT');
    await execute(`SET timezone = '${zoneWithALongSummer()}'`);
    const [swept] = await execute('SELECT * FROM sweep_ml_diagnosis_results(1, now(), 100)');
    // Of the older one the answers are over.
    expect(swept).toEqual({ deleted: 0, blanked: 1 });
  });
});
