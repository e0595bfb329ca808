import { sql } from 'kysely';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { connectDatabase, type Tx } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';

// The walls between tenants are PostgreSQL's: no `where` of ours is needed for them to hold. Every table that has a
// tenant is looked at, also those that nobody has thought of here.

const { url, db: owner } = await testDatabase();
/** As the app connects, with one connection, so that every test gets the one that the test before it left. */
const { db, pool } = connectDatabase({ url, poolMax: 1, onIdleError: () => undefined });
afterwards(() => pool.end());

/** v1.md section 2 marks these –T: they are worked on before or across tenants and hold no personal data. */
const withoutWalls = ['idempotency_keys', 'outbox_messages'];

const { rows: tenantTables } = await owner.query<{ name: string; forced: boolean; required: boolean }>(`
  SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS forced, a.attnotnull AS required
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY c.relname`);
const walled = tenantTables.map(({ name }) => name).filter((name) => !withoutWalls.includes(name));

const [a, b] = await Promise.all(['tenant-a', 'tenant-b'].map(createTenant));
if (a === undefined || b === undefined) throw new Error('no tenants');

async function createTenant(slug: string): Promise<number> {
  const { rows } = await owner.query<{ id: number }>(
    'INSERT INTO tenants (uuid, name, slug) VALUES (gen_random_uuid(), $1, $1) RETURNING id',
    [slug],
  );
  return rows[0]?.id as number;
}

/** One row of each tenant table, as the owner of the tables writes it. `u` is the tenant's user. */
const samples: Record<string, string> = {
  users: `INSERT INTO users (uuid, tenant_id, email, password_hash, role)
    VALUES (gen_random_uuid(), :t, :t || '@example.org', 'x', 'physician')`,
  physicians: `INSERT INTO physicians (uuid, tenant_id, user_id) SELECT gen_random_uuid(), :t, u.id FROM users u`,
  sessions: `INSERT INTO sessions (uuid, tenant_id, user_id, auth_time, last_used_at, idle_expires_at, absolute_expires_at)
    SELECT gen_random_uuid(), :t, u.id, now(), now(), now() + interval '1 day', now() + interval '1 day' FROM users u`,
  refresh_tokens: `INSERT INTO refresh_tokens (tenant_id, user_id, session_uuid, token_hash, expires_at)
    SELECT :t, user_id, uuid, sha256('r:t'), now() + interval '1 day' FROM sessions`,
  password_reset_tokens: `INSERT INTO password_reset_tokens (tenant_id, user_id, token_hash, expires_at)
    SELECT :t, u.id, sha256('p:t'), now() + interval '1 day' FROM users u`,
  email_verification_tokens: `INSERT INTO email_verification_tokens (tenant_id, user_id, email, token_hash, expires_at)
    SELECT :t, u.id, u.email, sha256('v:t'), now() + interval '1 day' FROM users u`,
  invitations: `INSERT INTO invitations (uuid, tenant_id, email, role, token_hash, invited_by, expires_at)
    SELECT gen_random_uuid(), :t, 'i:t@example.org', 'patient', sha256('i:t'), u.id, now() + interval '1 day' FROM users u`,
  event_logs: `INSERT INTO event_logs (uuid, tenant_id, category, action, outcome, actor_kind)
    VALUES (gen_random_uuid(), :t, 'auth', 'sample', 'success', 'system')`,
  ml_diagnosis_results: `INSERT INTO ml_diagnosis_results
      (uuid, tenant_id, kind, input_sha256, outcome, latency_ms, language, request_id)
    VALUES (gen_random_uuid(), :t, 'triage', sha256('m:t'), 'ok', 1, 'en', 'r')`,
  images: `INSERT INTO images (uuid, tenant_id, owner_user_id, name, state, blob_name, sha256, content_type, width_px,
      height_px, orientation, size_bytes)
    SELECT gen_random_uuid(), :t, u.id, 'n:t', 'stored', 'b:t', sha256('b:t'), 'image/png', 1, 1, 1, 1 FROM users u`,
};

async function asOwner<T>(
  tenant: number | undefined,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await owner.connect();
  try {
    await client.query('BEGIN');
    if (tenant !== undefined)
      await client.query(`SELECT set_config('app.tenant', $1, true)`, [String(tenant)]);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

for (const tenant of [a, b]) {
  await asOwner(tenant, async (client) => {
    for (const statement of Object.values(samples))
      await client.query(statement.replaceAll(':t', String(tenant)));
  });
}

/** A copy of the tenant's own row that says it belongs to `tenant_id`. */
const copyTo = (table: string, tenantId: number) => sql`
  INSERT INTO ${sql.table(table)} OVERRIDING SYSTEM VALUE
  SELECT (jsonb_populate_record(NULL::${sql.table(table)}, to_jsonb(r) || jsonb_build_object('tenant_id', ${tenantId}::integer))).*
  FROM ${sql.table(table)} r LIMIT 1`;

const tenantsSeen = async (tx: Tx | typeof db, table: string) => {
  const { rows } = await sql<{ tenant_id: number }>`
    SELECT DISTINCT tenant_id FROM ${sql.table(table)}`.execute(tx);
  return rows.map(({ tenant_id: tenantId }) => tenantId);
};

const denied = { code: '42501' };

test('the catalogue knows tenant tables, and there is a sample row for each', () => {
  expect(walled).toEqual(expect.arrayContaining(['users', 'sessions', 'refresh_tokens', 'event_logs']));
  expect(Object.keys(samples).toSorted()).toEqual(walled);
});

describe.each(walled)('%s', (table) => {
  const facts = tenantTables.find(({ name }) => name === table);

  test('row-level security is on and binds the owner too', () => {
    expect(facts?.forced).toBe(true);
  });

  test('there is no row without a tenant', () => {
    // Events from before a tenant is known have none, and nobody but the operator reads them.
    expect(facts?.required).toBe(table !== 'event_logs');
  });

  test('a tenant sees its own rows and no others', async () => {
    for (const tenant of [a, b]) {
      expect(await inTenant(db, tenant, (tx) => tenantsSeen(tx, table))).toEqual([tenant]);
    }
  });

  test('without a tenant, or with one that is none, nobody sees a row', async () => {
    expect(await tenantsSeen(db, table)).toEqual([]);
    expect(await inTenant(db, 0, (tx) => tenantsSeen(tx, table))).toEqual([]);
    expect(await inTenant(db, -1, (tx) => tenantsSeen(tx, table))).toEqual([]);
    expect(
      await asOwner(undefined, async (client) => (await client.query(`SELECT FROM ${table}`)).rowCount),
    ).toBe(0);
  });

  test('a row of another tenant is not inserted', async () => {
    await expect(inTenant(db, a, (tx) => copyTo(table, b).execute(tx))).rejects.toMatchObject(denied);
    await expect(copyTo(table, a).execute(db)).resolves.toMatchObject({ numAffectedRows: 0n });
  });

  test('a row of another tenant is not updated, deleted or given away', async () => {
    const touching = (statement: ReturnType<typeof sql>) =>
      inTenant(db, a, async (tx) => (await statement.execute(tx)).numAffectedRows ?? 0n).catch(
        (error: unknown) => (error as { code?: string }).code,
      );
    const name = sql.table(table);
    // No row, or no right to do such a thing to any row.
    const update = await touching(sql`UPDATE ${name} SET tenant_id = tenant_id WHERE tenant_id = ${b}`);
    expect([0n, '42501']).toContain(update);
    const remove = await touching(sql`DELETE FROM ${name} WHERE tenant_id = ${b}`);
    expect([0n, '42501']).toContain(remove);
    expect(await touching(sql`UPDATE ${name} SET tenant_id = ${b} WHERE tenant_id = ${a}`)).toBe('42501');
    expect(await touching(sql`TRUNCATE ${name} CASCADE`)).toBe('42501');
    expect(await inTenant(db, b, (tx) => tenantsSeen(tx, table))).toEqual([b]);
  });

  test('the owner of the table is bound in the same way', async () => {
    const seen = (client: pg.PoolClient) => client.query(`SELECT DISTINCT tenant_id FROM ${table}`);
    expect((await asOwner(a, seen)).rows).toEqual([{ tenant_id: a }]);
    const giveAway = asOwner(a, (client) => client.query(`UPDATE ${table} SET tenant_id = ${b}`));
    // Events are nobody's to change: there is no policy for it, so no row is found.
    if (table === 'event_logs') expect((await giveAway).rowCount).toBe(0);
    else await expect(giveAway).rejects.toMatchObject(denied);
  });
});

test('tables without walls hold no personal data in clear columns', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_name = ANY ($1) AND column_name ~ 'mail|name|phone|birth|anamnesis|password|token$'`,
    [withoutWalls],
  );
  expect(rows).toEqual([]);
});

test('a pooled connection forgets its tenant: after a commit, a rollback, an error, a time-out', async () => {
  const nobody = async () => {
    const { rows } = await sql<{ tenant: string | null; users: number }>`
      SELECT current_setting('app.tenant', true) AS tenant, (SELECT count(*)::int FROM users) AS users`.execute(
      db,
    );
    expect(rows).toEqual([{ tenant: expect.toBeOneOf(['', null]), users: 0 }]);
  };
  const process = async (tx: Tx | typeof db) =>
    (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)).rows[0]?.pid;
  const pid = await inTenant(db, a, process);
  await nobody();

  const failing: ((tx: Tx) => Promise<unknown>)[] = [
    () => Promise.reject(new Error('thrown by a handler')),
    (tx) => sql`SELECT 1 / 0`.execute(tx),
    (tx) => sql`SELECT no_such_column FROM users`.execute(tx),
    (tx) => sql`INSERT INTO users (uuid) VALUES (gen_random_uuid())`.execute(tx),
    async (tx) => {
      await sql`SET LOCAL statement_timeout = '20ms'`.execute(tx);
      await sql`SELECT pg_sleep(2)`.execute(tx);
    },
    async (tx) => {
      await sql`SELECT 1 / 0`.execute(tx).catch(() => undefined);
      await tenantsSeen(tx, 'users');
    },
  ];
  for (const work of failing) {
    await expect(inTenant(db, a, work)).rejects.toThrow();
    await nobody();
    expect(await inTenant(db, b, (tx) => tenantsSeen(tx, 'users'))).toEqual([b]);
    await nobody();
  }
  // It was the same connection all the time.
  expect(await process(db)).toBe(pid);
});

test('a foreign key between tenant tables carries the tenant, so that no row points across a wall', async () => {
  const { rows } = await owner.query<{ constraint: string; carries: boolean }>(`
    SELECT k.conrelid::regclass || '.' || k.conname AS constraint, EXISTS (
      SELECT FROM unnest(k.conkey, k.confkey) AS pair(here, there)
      WHERE here = mine.attnum AND there = theirs.attnum) AS carries
    FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid AND NOT c.relispartition
    JOIN pg_attribute mine ON mine.attrelid = k.conrelid AND mine.attname = 'tenant_id'
    JOIN pg_attribute theirs ON theirs.attrelid = k.confrelid AND theirs.attname = 'tenant_id'
    WHERE k.contype = 'f'`);
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(({ carries }) => !carries)).toEqual([]);

  const strangers = await inTenant(db, b, async (tx) => ({
    user: (await sql<{ id: number }>`SELECT id FROM users`.execute(tx)).rows[0]?.id,
    session: (await sql<{ uuid: string }>`SELECT uuid FROM sessions`.execute(tx)).rows[0]?.uuid,
  }));
  for (const statement of [
    sql`UPDATE sessions SET user_id = ${strangers.user}`,
    sql`UPDATE refresh_tokens SET session_uuid = ${strangers.session}`,
    sql`UPDATE password_reset_tokens SET user_id = ${strangers.user}`,
    sql`UPDATE invitations SET invited_by = ${strangers.user}`,
  ]) {
    await expect(inTenant(db, a, (tx) => statement.execute(tx))).rejects.toMatchObject({ code: '23503' });
  }
});

test('functions with more rights than the app are the app’s alone and cannot be misled by a search path', async () => {
  const { rows } = await owner.query<{ name: string }>(`
    SELECT p.oid::regprocedure::text AS name, p.proowner::regrole::text AS owner,
      has_function_privilege('public', p.oid, 'EXECUTE') AS public,
      has_function_privilege('dermagate_app', p.oid, 'EXECUTE') AS app,
      (SELECT setting FROM unnest(p.proconfig) AS setting WHERE setting LIKE 'search_path=%') AS path
    FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef ORDER BY 1`);
  const names = rows.map(({ name }) => name);
  for (const expected of ['find_login(text)', 'find_session(uuid)', 'find_refresh_token(bytea)']) {
    expect(names).toContain(expected);
  }
  for (const row of rows) {
    expect(row).toMatchObject({ public: false, app: true, path: 'search_path=pg_catalog, public, pg_temp' });
    const maintains = /^(?:(?:keep_event_log|drop_event_log|sweep_ml_diagnosis)_|count_refusal\()/.test(
      row.name,
    );
    expect(row).toMatchObject({ owner: maintains ? 'dermagate' : 'dermagate_lookup' });
  }
});

test('a role that is neither the app nor the owner can call none of them', async () => {
  await owner.query(`CREATE ROLE nobody_in_particular`);
  try {
    const { rows } = await owner.query(`
      SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef
        AND has_function_privilege('nobody_in_particular', p.oid, 'EXECUTE')`);
    expect(rows).toEqual([]);
  } finally {
    await owner.query('DROP ROLE nobody_in_particular');
  }
});

test('the roles of app and lookups own no table, log in nowhere by themselves and may no more than they must', async () => {
  const { rows: roles } = await owner.query(`
    SELECT rolname, rolcanlogin, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles
    WHERE rolname IN ('dermagate_app', 'dermagate_lookup') ORDER BY 1`);
  const least = {
    rolcanlogin: false,
    rolsuper: false,
    rolbypassrls: false,
    rolcreaterole: false,
    rolcreatedb: false,
  };
  expect(roles).toEqual([
    { rolname: 'dermagate_app', ...least },
    { rolname: 'dermagate_lookup', ...least },
  ]);
  const { rows: owned } = await owner.query(`
    SELECT relname FROM pg_class WHERE relowner IN ('dermagate_app'::regrole, 'dermagate_lookup'::regrole)`);
  expect(owned).toEqual([]);
  const { rows: grants } = await owner.query<{ grantee: string; privilege: string; tables: string[] }>(`
    SELECT grantee, privilege_type AS privilege, array_agg(table_name::text ORDER BY table_name) AS tables
    FROM information_schema.role_table_grants WHERE grantee IN ('dermagate_app', 'dermagate_lookup', 'PUBLIC')
      AND table_schema = 'public'
    GROUP BY 1, 2 ORDER BY 1, 2`);
  expect(grants.map(({ grantee, privilege }) => `${grantee} ${privilege}`)).toEqual([
    'dermagate_app DELETE',
    'dermagate_app INSERT',
    'dermagate_app SELECT',
    'dermagate_app UPDATE',
    'dermagate_lookup SELECT',
  ]);
  // The app speaks to the event log as a whole, never to a partition, which has no walls of its own.
  const touched = grants.filter(({ grantee }) => grantee === 'dermagate_app').flatMap(({ tables }) => tables);
  expect(touched.filter((name) => name.startsWith('event_logs_'))).toEqual([]);
  expect(touched).not.toContain('kysely_migration');
  const appends = grants.find(
    ({ grantee, privilege }) => grantee === 'dermagate_app' && privilege === 'UPDATE',
  );
  expect(appends?.tables).not.toContain('event_logs');
  expect(appends?.tables).not.toContain('tenants');
  // It may not become the role of the lookups either.
  const { rows: memberships } = await owner.query(
    `SELECT pg_has_role('dermagate_app', 'dermagate_lookup', 'MEMBER') AS member`,
  );
  expect(memberships).toEqual([{ member: false }]);
});

test('the lookups tell one row about one exact key, and nothing without it', async () => {
  const { rows } = await sql`SELECT * FROM find_login('%')`.execute(db);
  expect(rows).toEqual([]);
  const found = await sql`SELECT tenant_id FROM find_login(${`${b}@example.org`})`.execute(db);
  expect(found.rows).toEqual([{ tenant_id: b }]);
  for (const name of ['find_refresh_token', 'find_reset_token', 'find_invitation']) {
    expect((await sql`SELECT * FROM ${sql.id(name)}(${Buffer.alloc(0)})`.execute(db)).rows).toEqual([]);
  }
});

test('the event log is append-only for the app, and an event without a tenant is visible to no tenant', async () => {
  await sql`
    INSERT INTO event_logs (uuid, category, action, outcome, actor_kind)
    VALUES (gen_random_uuid(), 'auth', 'before a tenant', 'failure', 'anonymous')`.execute(db);
  for (const tenant of [a, b]) {
    const { rows } = await inTenant(db, tenant, (tx) =>
      sql`SELECT 1 FROM event_logs WHERE action = 'before a tenant'`.execute(tx),
    );
    expect(rows).toEqual([]);
    for (const statement of [
      sql`UPDATE event_logs SET action = 'nothing happened'`,
      sql`DELETE FROM event_logs`,
      sql`TRUNCATE event_logs`,
      sql`DELETE FROM event_logs_auth_default`,
      sql`SELECT 1 FROM event_logs_auth`,
    ]) {
      await expect(inTenant(db, tenant, (tx) => statement.execute(tx))).rejects.toMatchObject(denied);
    }
  }
  const { rows } = await owner.query(`SELECT count(*)::int AS kept FROM event_logs_auth`);
  expect(rows).toEqual([{ kept: 3 }]);
});

test('no partition of the event log that must be kept can be dropped, not even by its function', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT relid::regclass::text AS name FROM pg_partition_tree('event_logs') WHERE isleaf`,
  );
  for (const { name } of rows) {
    await expect(sql`SELECT drop_event_log_partition(${name})`.execute(db)).rejects.toThrow();
  }
  for (const name of ['users', 'event_logs', 'event_logs_auth', 'event_logs_auth_2001m01', "users'; --"]) {
    await expect(sql`SELECT drop_event_log_partition(${name})`.execute(db)).rejects.toThrow();
  }
  await owner.query(`CREATE TABLE event_logs_auth_2001m01 PARTITION OF event_logs_auth
    FOR VALUES FROM ('2001-01-01Z') TO ('2001-02-01Z')`);
  await sql`SELECT drop_event_log_partition('event_logs_auth_2001m01')`.execute(db);
  const { rows: left } = await owner.query(`SELECT to_regclass('event_logs_auth_2001m01') AS oid`);
  expect(left).toEqual([{ oid: null }]);
});
