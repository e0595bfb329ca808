/** What must hold of everything in the database, read from PostgreSQL's own catalogue. */
export interface Rule {
  guarantee: string;
  /** Selects one row, with the column `offender`, for each thing that breaks the rule. */
  offenders: string;
  /** Breaks the rule; the test runs it in a transaction that is rolled back, to see the rule fail. */
  sabotage: string;
}

const list = (names: readonly string[]) => `ARRAY[${names.map((name) => `'${name}'`).join(', ')}]::text[]`;

/** Tables without a tenant of their own, and those whose `tenant_id` is data and no boundary; the reason for each. */
export const notIsolated: Readonly<Record<string, string>> = {
  tenants: 'are the tenants; the app may only read them',
  throttle_counters: 'count before the tenant is known; keys are HMACs',
  refusal_windows: 'count before the tenant is known; keys are HMACs',
  idempotency_keys: 'are found by a hash before the tenant is set; replies are ids and sizes',
  disease_catalog: 'has diseases and nothing of a tenant; the app may only read it',
  outbox_messages: 'are delivered by one worker for all tenants; personal data is sealed',
  timers: 'have one row for each timer of the app, and nothing of a tenant',
  kysely_migration: 'belongs to the migrations; closed to the app',
  kysely_migration_lock: 'belongs to the migrations; closed to the app',
  applied_migrations: 'belongs to the migrations; closed to the app',
  applied_functions: 'belongs to the migrations; closed to the app',
};

/** Rows without a tenant are defaults of the platform: every tenant reads them, and the app writes none. */
const withDefaults = list(['application_parameters']);
const isDefault = '(tenant_id IS NULL)';
const writtenByOwner = `((tenant_id IS NULL) AND (CURRENT_USER <> 'dermagate_app'::name))`;

const tables = `
  SELECT c.oid, c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS forced,
    (SELECT attnotnull FROM pg_attribute WHERE attrelid = c.oid AND attname = 'tenant_id') AS required
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`;
const isolated = `SELECT * FROM (${tables}) AS t WHERE name <> ALL (${list(Object.keys(notIsolated))})`;

const ofTenant = `(tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::integer)`;
/** Events from before a tenant is known have none. */
const appended = `((tenant_id IS NULL) OR ${ofTenant})`;

/** Policies by what they let through: rows seen (`shown`) and rows written (`stored`), per command that they are for. */
const policies = `
  SELECT t.name AS of_table, p.polname, p.polcmd, p.polpermissive, p.polroles,
    p.polroles = ARRAY['dermagate_lookup'::regrole::oid] AS is_lookup,
    pg_get_expr(p.polqual, p.polrelid) AS shown,
    CASE WHEN p.polcmd IN ('*', 'w', 'a')
      THEN coalesce(pg_get_expr(p.polwithcheck, p.polrelid), pg_get_expr(p.polqual, p.polrelid)) END AS stored
  FROM pg_policy p JOIN (${tables}) AS t ON t.oid = p.polrelid`;

const commands = `(VALUES ('SELECT', 'r'), ('INSERT', 'a'), ('UPDATE', 'w'), ('DELETE', 'd')) AS command(privilege, cmd)`;

/** Rights on every relation and column, of everyone but its owner. */
const grants = `
  SELECT c.relname AS name, coalesce(nullif(grantee::regrole::text, '-'), 'PUBLIC') AS grantee,
    privilege_type AS privilege, is_grantable
  FROM pg_class c, aclexplode(c.relacl) WHERE c.relnamespace = 'public'::regnamespace AND grantee <> c.relowner`;

/** Foreign keys without an index of their columns; the reason for each. */
export const withoutIndex: Readonly<Record<string, string>> = {
  application_parameters_tenant_id_updated_by_fkey: 'a tenant has tens of parameters',
  user_group_members_tenant_id_added_by_fkey: 'a tenant has as many members as physicians',
};

export const tableRules: readonly Rule[] = [
  {
    guarantee: 'a table has a tenant and is isolated by it, or is listed with the reason why not',
    offenders: `SELECT name AS offender FROM (${isolated}) AS t WHERE required IS NULL`,
    sabotage: 'CREATE TABLE forgotten (id integer)',
  },
  {
    guarantee: 'row-level security is on and binds the owner of the table as well',
    offenders: `SELECT name AS offender FROM (${isolated}) AS t WHERE NOT forced`,
    sabotage: 'ALTER TABLE images NO FORCE ROW LEVEL SECURITY',
  },
  {
    guarantee: 'every row has a tenant, but for events from before one is known and defaults of the platform',
    offenders: `
      SELECT name AS offender FROM (${isolated}) AS t
      WHERE NOT required AND name <> 'event_logs' AND name <> ALL (${withDefaults})`,
    sabotage: 'ALTER TABLE images ALTER tenant_id DROP NOT NULL',
  },
  {
    guarantee: 'a policy shows and stores rows of the tenant of the transaction only',
    offenders: `
      SELECT of_table || '.' || polname AS offender FROM (${policies}) AS p
      WHERE NOT is_lookup AND NOT (of_table = ANY (${withDefaults})
          AND (polcmd = 'r' AND shown = $$${isDefault}$$ OR shown = $$${writtenByOwner}$$ AND stored = shown))
        AND (coalesce(shown, $$${ofTenant}$$) <> $$${ofTenant}$$
        OR coalesce(stored, $$${ofTenant}$$) <>
          CASE WHEN of_table = 'event_logs' AND polcmd = 'a' THEN $$${appended}$$ ELSE $$${ofTenant}$$ END)`,
    sabotage: 'ALTER POLICY tenant ON images WITH CHECK (true)',
  },
  {
    guarantee: 'what the platform sets for all tenants is written by the role that migrates alone',
    offenders: `
      SELECT of_table || '.' || polname AS offender FROM (${policies}) AS p
      WHERE of_table = ANY (${withDefaults}) AND stored NOT IN ($$${ofTenant}$$, $$${writtenByOwner}$$)`,
    sabotage: 'ALTER POLICY platform_write ON application_parameters WITH CHECK (tenant_id IS NULL)',
  },
  {
    guarantee: 'a policy for rows of all tenants is for the lookup role alone, and for reading',
    offenders: `
      SELECT of_table || '.' || polname AS offender FROM (${policies}) AS p
      WHERE is_lookup AND NOT (polcmd = 'r' AND polpermissive) OR NOT is_lookup AND polroles <> ARRAY[0::oid]`,
    sabotage: 'CREATE POLICY backdoor ON users FOR DELETE TO dermagate_lookup USING (true)',
  },
  {
    guarantee: 'what the app may do with rows of an isolated table, a policy lets it do within its tenant',
    offenders: `
      SELECT t.name || ' ' || privilege AS offender FROM (${isolated}) AS t, ${commands}
      WHERE has_table_privilege('dermagate_app', t.oid, privilege) AND NOT EXISTS (
        SELECT FROM (${policies}) AS p WHERE p.of_table = t.name AND NOT is_lookup AND polcmd IN ('*', cmd))`,
    sabotage: 'DROP POLICY tenant ON images',
  },
  {
    guarantee: 'partitions are reached through their parent only, whose policies bind',
    offenders: `SELECT name || ' ' || grantee AS offender FROM (${grants}) AS g WHERE name ~ '^event_logs_' AND name <> 'event_logs_id_seq'`,
    sabotage: 'GRANT SELECT ON event_logs_auth_default TO dermagate_app',
  },
  {
    guarantee: 'a foreign key between tables with a tenant carries the tenant',
    offenders: `
      SELECT k.conrelid::regclass || '.' || k.conname AS offender
      FROM pg_constraint k
      JOIN pg_attribute mine ON mine.attrelid = k.conrelid AND mine.attname = 'tenant_id'
      JOIN pg_attribute theirs ON theirs.attrelid = k.confrelid AND theirs.attname = 'tenant_id'
      WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace AND NOT EXISTS (
        SELECT FROM unnest(k.conkey, k.confkey) AS pair(here, there)
        WHERE here = mine.attnum AND there = theirs.attnum)`,
    sabotage: 'ALTER TABLE images ADD FOREIGN KEY (owner_user_id) REFERENCES users (id)',
  },
  {
    guarantee:
      'a foreign key to a person, a case or a photo has an index, which erasure deletes by; exceptions are listed',
    offenders: `
      SELECT k.conname AS offender FROM pg_constraint k
      WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace AND k.conparentid = 0
        AND k.confrelid IN ('users'::regclass, 'physicians'::regclass, 'patients'::regclass,
          'request_records'::regclass, 'images'::regclass)
        AND k.conname <> ALL (${list(Object.keys(withoutIndex))})
        AND NOT EXISTS (
          SELECT FROM pg_index i
          WHERE i.indrelid = k.conrelid AND i.indisvalid
            AND ((i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey OR EXISTS (
              SELECT FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
                AND a.attnum = i.indkey[0] AND a.attname <> 'tenant_id'))
            AND (i.indpred IS NULL OR EXISTS (
              SELECT FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
                AND pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname))))`,
    sabotage: 'DROP INDEX images_of_owner',
  },
  {
    guarantee: 'a view has the rights of its reader, and not of its owner',
    offenders: `
      SELECT relname AS offender FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')
        AND NOT coalesce(reloptions, '{}') @> ARRAY['security_invoker=true']`,
    sabotage: 'CREATE VIEW everyone AS SELECT email FROM users',
  },
  {
    guarantee:
      'nothing is granted to everyone, nothing to other roles, nothing to be handed on, no column by itself',
    offenders: `
      SELECT name || ' ' || grantee AS offender FROM (${grants}) AS g
      WHERE grantee NOT IN ('dermagate_app', 'dermagate_lookup') OR is_grantable
      UNION ALL SELECT attrelid::regclass || '.' || attname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
      WHERE attacl IS NOT NULL AND relnamespace = 'public'::regnamespace`,
    sabotage: 'GRANT SELECT (email) ON users TO PUBLIC',
  },
  {
    guarantee: 'tables, views, sequences, types and schemas belong to the role that migrates',
    offenders: `
      SELECT relname AS offender FROM pg_class
        WHERE relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
          AND relnamespace::regnamespace::text !~ '^pg_toast' AND relowner <> current_user::regrole
      UNION ALL SELECT typname FROM pg_type
        WHERE typnamespace = 'public'::regnamespace AND typowner <> current_user::regrole
      UNION ALL SELECT nspname FROM pg_namespace
        WHERE nspowner IN ('dermagate_app'::regrole, 'dermagate_lookup'::regrole)`,
    sabotage: `GRANT CREATE ON SCHEMA public TO dermagate_app; ALTER TABLE images OWNER TO dermagate_app`,
  },
];

/** With the rights of the tables' owner; each must stand a call with any arguments by the app. The reason for each. */
export const withOwnersRights: Readonly<Record<string, string>> = {
  count_refusal: 'the app may not update the event log',
  create_event_partitions_of: 'the app may create no table',
  drop_event_log_partition: 'the app may drop no table',
  sweep_ml_diagnosis_results: 'the app may neither change nor delete recorded AI calls',
  sweep_request_records: 'the app may delete neither cases nor what patients said',
  sweep_user_check_logs: 'the app may neither change nor delete recorded checks',
};

/** May ask the database for the time. The reason for each; all others take `p_now`. */
const byTheDatabasesClock: Readonly<Record<string, string>> = {
  count_refusal: 'bounds what the app may change, whatever time it names',
  create_event_partitions_of: 'follows the clock that stamps the rows',
  drop_event_log_partition: 'drops nothing early, whatever time the app names',
  expired_event_log_partitions: 'lists what drop_event_log_partition accepts',
  record_refusal: 'stamps a row as the default of its column does',
  renew_sessions: 'adds to the time of the app what has passed since',
  sweep_ml_diagnosis_results: 'deletes nothing early, at any time that the app names',
  sweep_request_records: 'deletes nothing early, at any time that the app names',
  sweep_user_check_logs: 'deletes nothing early, at any time that the app names',
};

/** Name a tenant to PostgreSQL, as lib/db/tenant.ts says. */
const namingATenant = [
  'record_ai_calls',
  'renew_sessions',
  'sweep_ml_diagnosis_results',
  'sweep_request_records',
  'sweep_user_check_logs',
  'take_back_renewals',
];

const functions = `
  SELECT p.*, proowner::regrole::text AS owner, coalesce(proconfig, '{}') AS settings,
    proname = ANY (${list(Object.keys(withOwnersRights))}) AS has_owners_rights
  FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
  WHERE nspname NOT IN ('pg_catalog', 'information_schema')`;

/** A function that keeps every rule but those that the options break. */
const forgotten = (options: string, body = 'SELECT 1') =>
  `CREATE FUNCTION forgotten() RETURNS integer LANGUAGE sql ${options} AS $$ ${body} $$;
   GRANT EXECUTE ON FUNCTION forgotten TO dermagate_app;`;
const searchPath = 'SET search_path = pg_catalog, public, pg_temp';

export const functionRules: readonly Rule[] = [
  {
    guarantee: 'a function finds its tables by a search path of its own, temporary objects last',
    offenders: `
      SELECT proname AS offender FROM (${functions}) AS f
      WHERE NOT settings @> ARRAY['search_path=pg_catalog, public, pg_temp']`,
    sabotage: forgotten('SET search_path = pg_catalog, public'),
  },
  {
    guarantee: 'a function is for the app and its owner, and for no other role',
    offenders: `
      SELECT proname AS offender FROM (${functions}) AS f
      WHERE ARRAY(SELECT grantee FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) ORDER BY 1)
        <> ARRAY(SELECT unnest(ARRAY[proowner, 'dermagate_app'::regrole]) ORDER BY 1)`,
    sabotage: `${forgotten(searchPath)} GRANT EXECUTE ON FUNCTION forgotten TO PUBLIC`,
  },
  {
    guarantee:
      "a function has the caller's rights, or those of the lookup role for reading, or is listed with the reason",
    offenders: `
      SELECT proname AS offender FROM (${functions}) AS f
      WHERE NOT CASE WHEN owner = 'dermagate_lookup' THEN prosecdef AND provolatile = 's' AND NOT has_owners_rights
        ELSE proowner = current_user::regrole AND prosecdef = has_owners_rights END`,
    sabotage: forgotten(`SECURITY DEFINER ${searchPath}`),
  },
  {
    guarantee:
      "a function with the owner's rights reads and computes times by its own settings, not its caller's",
    offenders: `
      SELECT proname AS offender FROM (${functions}) AS f
      WHERE has_owners_rights AND NOT settings @> ARRAY['TimeZone=UTC', 'DateStyle=ISO, YMD']`,
    sabotage: 'ALTER FUNCTION count_refusal RESET timezone',
  },
  {
    guarantee:
      'what has expired is decided by the time that the app names; exceptions are listed with the reason',
    offenders: `
      SELECT proname AS offender FROM (${functions}) AS f
      WHERE proname <> ALL (${list(Object.keys(byTheDatabasesClock))}) AND prosrc ~* '\\m(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\\s*\\(|current_(timestamp|date|time)|localtime'`,
    sabotage: forgotten(searchPath, 'SELECT 1 WHERE now() > current_date'),
  },
  {
    guarantee: 'a function that names a tenant is one that lib/db/tenant.ts lists',
    offenders: `
      SELECT proname AS offender FROM (${functions}) AS f
      WHERE prosrc ~ 'set_config|app\\.tenant' AND proname <> ALL (${list(namingATenant)})`,
    sabotage: forgotten(searchPath, `SELECT set_config('app.tenant', '1', true)::integer`),
  },
  {
    guarantee: 'a function has one signature and stands in the schema public',
    offenders: `
      SELECT proname AS offender FROM (${functions}) AS f
      GROUP BY proname HAVING count(*) > 1 OR bool_or(pronamespace <> 'public'::regnamespace)`,
    sabotage: 'CREATE FUNCTION find_login(integer) RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
  },
  {
    guarantee: 'nothing happens behind a statement: no trigger, no rule, no event trigger',
    offenders: `
      SELECT tgname AS offender FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT rulename FROM pg_rules WHERE schemaname = 'public'
      UNION ALL SELECT evtname FROM pg_event_trigger`,
    sabotage: 'CREATE RULE silent AS ON DELETE TO images DO INSTEAD NOTHING',
  },
];
