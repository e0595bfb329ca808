import { randomBytes } from 'node:crypto';
import { describe, expect, inject, test } from 'vitest';
import { query } from '../../../dev/services/postgres.ts';
import { migrateToLatest } from '../../../src/cli/migrate.ts';
import { afterwards } from '../../support/cleanup.ts';

// Who owns what and who may do what, as the catalogue says of everything that the migrations leave behind. What a new
// migration forgets fails here.

const { superuserUrl, owner } = inject('services');
// Not a copy of the template: PostgreSQL does not copy what is granted of a database itself.
const database = `test_rights_${randomBytes(6).toString('hex')}`;
await query(superuserUrl, `CREATE DATABASE ${database} OWNER ${owner.role}`);
afterwards(async () => void (await query(superuserUrl, `DROP DATABASE ${database} WITH (FORCE)`)));
const url = Object.assign(new URL(superuserUrl), {
  username: owner.role,
  password: owner.password,
  pathname: database,
}).href;
await migrateToLatest(url);
const read = async <Row>(text: string) => (await query(url, text)) as Row[];

/** Functions that run with the rights of the tables' owner; each must stand a call with any arguments by the app. */
const withOwnersRights = [
  'count_refusal(text,bigint,timestamp with time zone,timestamp with time zone)',
  'drop_event_log_partition(text)',
  'keep_event_log_partitions()',
  'sweep_ml_diagnosis_results(integer,timestamp with time zone,integer)',
];

interface Routine {
  signature: string;
  schema: string;
  owner: string;
  definer: boolean;
  settings: string[];
  may_call: string[];
}

const routines = await read<Routine>(`
  SELECT p.oid::regprocedure::text AS signature, n.nspname AS schema, proowner::regrole::text AS owner,
    prosecdef AS definer, coalesce(proconfig, '{}') AS settings,
    ARRAY(SELECT coalesce(r.rolname, 'PUBLIC')::text
          FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) AS a LEFT JOIN pg_roles r ON r.oid = a.grantee
          ORDER BY 1) AS may_call
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`);

describe.each(routines)('$signature', ({ signature, schema, owner: owns, definer, settings, may_call }) => {
  test('finds its tables by a search path of its own, with temporary objects last', () => {
    expect(settings).toContain('search_path=pg_catalog, public, pg_temp');
  });

  test('is for the app and its owner, and for nobody else', () => {
    expect(may_call).toEqual([owns, 'dermagate_app'].toSorted());
    expect(schema).toBe('public');
  });

  test('has no more rights than it needs', () => {
    const ownersRights = withOwnersRights.includes(signature);
    expect({ owns, definer }).toEqual({
      owns: definer && !ownersRights ? 'dermagate_lookup' : owner.role,
      definer: ownersRights || /^(?:find|list)_/.test(signature),
    });
  });
});

test.each(withOwnersRights)(
  '%s reads and computes times as it was written, not as the caller’s settings say',
  (signature) => {
    const { settings } = routines.find((each) => each.signature === signature) ?? { settings: [] };
    expect(settings).toEqual(
      expect.arrayContaining([expect.stringMatching(/^TimeZone=/i), expect.stringMatching(/^DateStyle=/i)]),
    );
  },
);

test('the functions that are described above are all there are', () => {
  expect(routines.length).toBeGreaterThan(10);
  expect(routines.map(({ signature }) => signature)).toEqual(expect.arrayContaining(withOwnersRights));
});

/** Compare with times that the database itself wrote, and do not take the app's word for what must be kept. */
const byTheDatabasesClock = [
  'count_refusal(text,bigint,timestamp with time zone,timestamp with time zone)',
  'record_refusal(bytea,integer,timestamp with time zone,jsonb)',
  'due_event_log_partitions()',
  'drop_event_log_partition(text)',
  'keep_event_log_partitions()',
  'sweep_ml_diagnosis_results(integer,timestamp with time zone,integer)',
];
/** Of older versions of the app; this one calls their namesakes with a time. */
const superseded = [
  'find_session(uuid)',
  'find_refresh_token(bytea)',
  'find_reset_token(bytea)',
  'find_invitation(bytea)',
];

test('what has expired is decided by the time that the app names', async () => {
  const rows = await read<{ signature: string }>(`
    SELECT oid::regprocedure::text AS signature FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      AND prosrc ~* '\\m(now|clock_timestamp|statement_timestamp|transaction_timestamp)\\s*\\(|current_(timestamp|date|time)|localtime'
    ORDER BY 1`);
  expect(rows.map(({ signature }) => signature)).toEqual([...byTheDatabasesClock, ...superseded].toSorted());
});

test('the functions that name a tenant are those that lib/db/tenant.ts tells of', async () => {
  const rows = await read<{ name: string }>(`
    SELECT proname AS name FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND prosrc ~ 'set_config' ORDER BY 1`);
  expect(rows.map(({ name }) => name)).toEqual([
    'read_account',
    'record_ai_call',
    'sweep_ml_diagnosis_results',
  ]);
});

test('a function of a later migration is not for everybody, whatever that migration forgets', async () => {
  await query(url, `CREATE FUNCTION forgotten() RETURNS integer LANGUAGE sql AS 'SELECT 1'`);
  const rows = await read(`SELECT has_function_privilege('public', 'forgotten()', 'EXECUTE') AS everybody`);
  await query(url, 'DROP FUNCTION forgotten()');
  expect(rows).toEqual([{ everybody: false }]);
});

test('only the owner of the database makes temporary objects, and only the owner of the schema makes others', async () => {
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

test('tables, views, sequences, types and schemas belong to the role that migrates', async () => {
  const rows = await read(`
    SELECT relname AS name, relowner::regrole::text AS owner FROM pg_class
      WHERE relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
        AND relnamespace::regnamespace::text !~ '^pg_toast' AND relowner <> '${owner.role}'::regrole
    UNION ALL SELECT typname, typowner::regrole::text FROM pg_type
      WHERE typnamespace = 'public'::regnamespace AND typowner <> '${owner.role}'::regrole
    UNION ALL SELECT nspname, nspowner::regrole::text FROM pg_namespace
      WHERE nspowner IN ('dermagate_app'::regrole, 'dermagate_lookup'::regrole)`);
  expect(rows).toEqual([]);
});

test('nothing is granted to everybody, and nothing may be handed on', async () => {
  const rows = await read(`
    SELECT relname AS name, coalesce(grantee::regrole::text, 'PUBLIC') AS grantee, privilege_type AS privilege
    FROM pg_class, aclexplode(relacl)
    WHERE relnamespace = 'public'::regnamespace AND (grantee = 0 OR is_grantable AND grantee <> relowner)`);
  expect(rows).toEqual([]);
});

test('neither role of ours is a member of another, and only the role that migrates may become them', async () => {
  const rows = await read(`
    SELECT roleid::regrole::text AS role, member::regrole::text AS member FROM pg_auth_members
    WHERE roleid IN ('dermagate_app'::regrole, 'dermagate_lookup'::regrole)
      AND member NOT IN ('${owner.role}'::regrole) AND member::regrole::text !~ '^"?id-dermagate-'
      OR member IN ('dermagate_app'::regrole, 'dermagate_lookup'::regrole)`);
  expect(rows).toEqual([]);
});
