import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { query } from '../../../dev/services/postgres.ts';
import { migrateToLatest } from '../../../src/cli/migrate.ts';
import { readFunctionFiles } from '../../../src/lib/db/apply-functions.ts';
import { afterwards } from '../../support/cleanup.ts';
import {
  functionRules,
  notIsolated,
  type Rule,
  tableRules,
  withOwnersRights,
  withoutIndex,
} from './catalogue-rules.ts';

// Who owns what and who may do what, of everything that the migrations leave behind. What a new migration or function
// forgets fails here.

const { superuserUrl, owner } = inject('services');
// Not a copy of the template: PostgreSQL does not copy what is granted of a database itself.
const database = `test_catalogue_${randomBytes(6).toString('hex')}`;
await query(superuserUrl, `CREATE DATABASE ${database} OWNER ${owner.role}`);
const { role: username, password } = owner;
const url = Object.assign(new URL(superuserUrl), { username, password, pathname: database }).href;
await migrateToLatest(url);
const client = new pg.Client({ connectionString: url });
await client.connect();
afterwards(async () => {
  await client.end();
  await query(superuserUrl, `DROP DATABASE ${database} WITH (FORCE)`);
});
const read = async <Row>(text: string) => (await client.query(text)).rows as Row[];
const offenders = async ({ offenders: text }: Rule) =>
  (await read<{ offender: string }>(text)).map(({ offender }) => offender);

/** Runs `work` after `statements`, and undoes both. */
async function undone<T>(statements: string, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    await client.query(statements);
    return await work();
  } finally {
    await client.query('ROLLBACK');
  }
}

describe.each([...tableRules, ...functionRules])('$guarantee', (rule) => {
  test('holds', async () => {
    expect(await offenders(rule)).toEqual([]);
  });

  test('is a rule that notices when it is broken', async () => {
    expect(await undone(rule.sabotage, () => offenders(rule))).not.toEqual([]);
  });
});

test('the lists of exceptions name what there is', async () => {
  const tables = await read<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(notIsolated)));
  const keys = await read<{ name: string }>(`SELECT conname AS name FROM pg_constraint WHERE contype = 'f'`);
  expect(keys.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(withoutIndex)));
  const functions = await read<{ name: string }>('SELECT proname AS name FROM pg_proc WHERE prosecdef');
  expect(functions.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(withOwnersRights)));
});

const write = 'SELECT INSERT UPDATE DELETE';
/** Everything that the app and the lookups may do with relations. No list of tables is complete without them. */
const rights: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  dermagate_app: {
    analytics_feeds: 'SELECT INSERT UPDATE',
    application_parameters: write,
    case_batches: 'SELECT INSERT',
    case_images: 'SELECT INSERT UPDATE',
    case_messages: 'SELECT INSERT UPDATE',
    audit_annotations: write,
    case_skips: write,
    dermatologist_annotations: write,
    disease_catalog: 'SELECT',
    email_verification_tokens: write,
    event_logs: 'SELECT INSERT',
    event_logs_id_seq: 'USAGE',
    idempotency_keys: write,
    images: write,
    invitations: write,
    ml_diagnosis_results: 'SELECT INSERT',
    outbox_messages: write,
    parameter_sets: 'SELECT INSERT UPDATE',
    password_reset_tokens: write,
    patient_name_keys: write,
    patients: 'SELECT INSERT UPDATE',
    physicians: 'SELECT INSERT UPDATE',
    push_devices: write,
    refresh_tokens: write,
    refusal_windows: write,
    request_anamneses: 'SELECT INSERT',
    report_templates: 'SELECT INSERT UPDATE',
    request_records: 'SELECT INSERT UPDATE',
    request_records_id_seq: 'USAGE',
    sessions: write,
    tenants: 'SELECT',
    throttle_counters: write,
    timers: 'SELECT INSERT UPDATE',
    user_check_logs: 'SELECT INSERT',
    user_group_members: write,
    user_groups: write,
    user_notices: write,
    users: 'SELECT INSERT UPDATE',
    vendor_disease_catalog: 'SELECT INSERT UPDATE',
  },
  dermagate_lookup: Object.fromEntries(
    [
      'email_verification_tokens',
      'images',
      'invitations',
      'password_reset_tokens',
      'physicians',
      'push_devices',
      'refresh_tokens',
      'sessions',
      'tenants',
      'user_notices',
      'users',
    ].map((table) => [table, 'SELECT']),
  ),
};

test.each(Object.entries(rights))(
  '%s may do with tables and sequences what is listed here, and nothing else: no event, recorded AI call or answer of a patient changes',
  async (role, expected) => {
    const rows = await read<{ name: string; may: string }>(`
    SELECT c.relname AS name, string_agg(privilege, ' ' ORDER BY position) AS may
    FROM pg_class c, unnest(CASE WHEN c.relkind = 'S' THEN ARRAY['USAGE', 'SELECT', 'UPDATE']
        ELSE ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN'] END)
      WITH ORDINALITY AS p(privilege, position)
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
      AND CASE WHEN c.relkind = 'S' THEN has_sequence_privilege('${role}', c.oid, privilege)
        ELSE has_table_privilege('${role}', c.oid, privilege) END
    GROUP BY 1 ORDER BY 1`);
    expect(Object.fromEntries(rows.map(({ name, may }) => [name, may]))).toEqual(expected);
  },
);

describe('functions', async () => {
  const files = await readFunctionFiles(join(import.meta.dirname, '../../../migrations/functions'));
  const definition = `SELECT pg_get_functiondef(oid) AS text, proowner::regrole::text AS owner,
    ARRAY(SELECT unnest(proacl)::text ORDER BY 1) AS acl FROM pg_proc WHERE pronamespace = 'public'::regnamespace`;

  test('every function has one file in migrations/functions, by its name', async () => {
    const rows = await read<{ name: string }>(
      `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`,
    );
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.map(({ name }) => name)).toEqual(files.map(({ name }) => name));
  });

  // Dropped first: what the file does not say would be left over from before.
  test.each(files)(
    '$name is what its file says: text, settings, owner and grants',
    async ({ name, text }) => {
      const now = await read(`${definition} AND proname = '${name}'`);
      const written = await undone(
        `DROP FUNCTION ${name}; GRANT CREATE ON SCHEMA public TO dermagate_lookup; ${text}`,
        async () => {
          await client.query('RESET ROLE');
          return await read(`${definition} AND proname = '${name}'`);
        },
      );
      expect(now).toHaveLength(1);
      expect(written).toEqual(now);
    },
  );
});

test('a function of a later migration is not for everyone, whatever that migration forgets', async () => {
  for (const role of [owner.role, 'dermagate_lookup']) {
    const rows = await undone(
      `GRANT CREATE ON SCHEMA public TO dermagate_lookup; SET LOCAL ROLE ${role};
       CREATE FUNCTION forgotten() RETURNS integer LANGUAGE sql AS 'SELECT 1'`,
      () => read(`SELECT has_function_privilege('public', 'forgotten()', 'EXECUTE') AS everyone`),
    );
    expect(rows).toEqual([{ everyone: false }]);
  }
});

test('only the owner of the database creates temporary objects, and only the owner of the schema creates others', async () => {
  const rows = await read(`
    SELECT role, has_database_privilege(role, current_database(), 'TEMPORARY') AS temporary,
      has_database_privilege(role, current_database(), 'CREATE') AS schemas,
      has_schema_privilege(role, 'public', 'CREATE') AS objects
    FROM unnest(ARRAY['public', 'dermagate_app', 'dermagate_lookup', '${owner.role}']) AS role`);
  const nothing = { temporary: false, schemas: false, objects: false };
  expect(rows).toEqual([
    { role: 'public', ...nothing },
    { role: 'dermagate_app', ...nothing },
    { role: 'dermagate_lookup', ...nothing },
    { role: owner.role, temporary: true, schemas: true, objects: true },
  ]);
});

test.each(['dermagate_app', 'dermagate_lookup'])('%s is nothing but a set of rights', async (role) => {
  const rows = await read(`SELECT * FROM pg_roles WHERE rolname = '${role}'`);
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

test('neither role of ours is a member of another, and only the role that migrates may become them', async () => {
  const rows = await read(`
    SELECT roleid::regrole::text AS role, member::regrole::text AS member FROM pg_auth_members
    WHERE roleid IN ('dermagate_app'::regrole, 'dermagate_lookup'::regrole)
      AND member NOT IN ('${owner.role}'::regrole) AND member::regrole::text !~ '^"?id-dermagate-'
      OR member IN ('dermagate_app'::regrole, 'dermagate_lookup'::regrole)`);
  expect(rows).toEqual([]);
});
