import { sql } from 'kysely';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { connectDatabase, type Tx } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { createTenant } from '../../../support/accounts.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';

// PostgreSQL isolates tenants: no `where` of ours is needed. Every table with a tenant is tried; the policies, grants and
// functions behind it are read in test/lib/db/catalogue.db.test.ts.

const { url, db: owner } = await testDatabase();
/** As the app connects, with one connection, so that every test gets the one that the test before it left. */
const { db, pool } = connectDatabase({ url, poolMax: 1, onIdleError: () => undefined });
afterwards(() => pool.end());

/** Read before or across tenants, without personal data; lib/db/catalogue-rules.ts has the reasons. */
const notIsolated = ['idempotency_keys', 'outbox_messages'];

const { rows: tenantTables } = await owner.query<{ name: string }>(`
  SELECT c.relname AS name
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY c.relname`);
const isolated = tenantTables.map(({ name }) => name).filter((name) => !notIsolated.includes(name));

const [a, b] = await Promise.all(['tenant-a', 'tenant-b'].map((slug) => createTenant({ db: owner }, slug)));
if (a === undefined || b === undefined) throw new Error('no tenants');

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
  patients: `INSERT INTO patients (uuid, tenant_id, account_user_id, relation)
    SELECT gen_random_uuid(), :t, u.id, 'self' FROM users u`,
  patient_name_keys: `INSERT INTO patient_name_keys (tenant_id, key, patient_id) SELECT :t, 'ann', p.id FROM patients p`,
  application_parameters: `INSERT INTO application_parameters (tenant_id, branch, sub_branch, key, value, visibility, updated_by)
    SELECT :t, 'mobile', 'app', 'support_email', '"help@example.org"', 'public', u.id FROM users u`,
  user_groups: `INSERT INTO user_groups (uuid, tenant_id, name) VALUES (gen_random_uuid(), :t, 'on call')`,
  user_group_members: `INSERT INTO user_group_members (tenant_id, group_id, user_id)
    SELECT :t, g.id, u.id FROM user_groups g, users u`,
  push_devices: `INSERT INTO push_devices (uuid, tenant_id, user_id, session_uuid, platform, token_hash, token, app_version,
      last_seen_at)
    SELECT gen_random_uuid(), :t, user_id, uuid, 'ios', sha256('d:t'), 'sealed', '1.0', now() FROM sessions`,
  analytics_feeds: `INSERT INTO analytics_feeds (tenant_id, subscribed_until) VALUES (:t, now())`,
  user_notices: `INSERT INTO user_notices (tenant_id, user_id, kind, payload, expires_at)
    SELECT :t, u.id, 'case.assigned', '{}', now() FROM users u`,
  user_check_logs: `INSERT INTO user_check_logs (tenant_id, user_id, patient_id, check_kind, outcome)
    SELECT :t, p.account_user_id, p.id, 'eligibility', 'eligible' FROM patients p`,
  event_logs: `INSERT INTO event_logs (uuid, tenant_id, category, action, outcome, actor_kind)
    VALUES (gen_random_uuid(), :t, 'auth', 'sample', 'success', 'system')`,
  ml_diagnosis_results: `INSERT INTO ml_diagnosis_results
      (uuid, tenant_id, kind, input_sha256, outcome, latency_ms, language, request_id)
    VALUES (gen_random_uuid(), :t, 'triage', sha256('m:t'), 'ok', 1, 'en', 'r')`,
  images: `INSERT INTO images (uuid, tenant_id, owner_user_id, name, state, blob_name, sha256, content_type, width_px,
      height_px, orientation, size_bytes)
    SELECT gen_random_uuid(), :t, u.id, 'n:t', 'stored', 'b:t', sha256('b:t'), 'image/png', 1, 1, 1, 1 FROM users u`,
  case_batches: `INSERT INTO case_batches (uuid, tenant_id, kind, account_user_id, client_batch_id, expected_size)
    SELECT gen_random_uuid(), :t, 'patient_session', u.id, 'b:t', 2 FROM users u`,
  request_records: `INSERT INTO request_records (uuid, tenant_id, patient_id, account_user_id, source, batch_uuid, status,
      status_changed_at, language)
    SELECT gen_random_uuid(), :t, p.id, u.id, 'mobile', b.uuid, 'draft', now(), 'en'
    FROM patients p, users u, case_batches b`,
  request_anamneses: `INSERT INTO request_anamneses (case_uuid, revision, tenant_id, anamnesis, sha256, schema_version,
      author_user_id, author_kind)
    SELECT r.uuid, 1, :t, '{}', sha256('a:t'), '1', r.account_user_id, 'patient' FROM request_records r`,
  case_images: `INSERT INTO case_images (case_uuid, image_uuid, tenant_id, position, added_at)
    SELECT r.uuid, i.uuid, :t, 0, now() FROM request_records r, images i`,
  case_messages: `INSERT INTO case_messages (uuid, tenant_id, case_uuid, direction, codes, language)
    SELECT gen_random_uuid(), :t, r.uuid, 'to_patient', '{retake_photos}', 'en' FROM request_records r`,
  case_skips: `INSERT INTO case_skips (physician_id, case_uuid, tenant_id, reason, until)
    SELECT p.id, r.uuid, :t, 'other', now() FROM physicians p, request_records r`,
  report_templates: `INSERT INTO report_templates (uuid, tenant_id, kind, scope, name, bodies)
    VALUES (gen_random_uuid(), :t, 'diagnosis_text', 'tenant', 'n:t', '{"en": "x"}')`,
  vendor_disease_catalog: `INSERT INTO vendor_disease_catalog (tenant_id, vendor, code, names)
    VALUES (:t, 'clinic', 'c:t', '{"en": "x"}')`,
  dermatologist_annotations: `INSERT INTO dermatologist_annotations (uuid, tenant_id, case_uuid, physician_id, status, language)
    SELECT gen_random_uuid(), :t, r.uuid, p.id, 'draft', 'en' FROM physicians p, request_records r`,
  audit_annotations: `INSERT INTO audit_annotations (uuid, tenant_id, case_uuid, annotation_uuid, auditor_id, status)
    SELECT gen_random_uuid(), :t, a.case_uuid, a.uuid, a.physician_id, 'draft' FROM dermatologist_annotations a`,
  parameter_sets: `INSERT INTO parameter_sets (tenant_id, branch, sub_branch) VALUES (:t, 'queue', 'rules')`,
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
  FROM ${sql.table(table)} r WHERE tenant_id IS NOT NULL LIMIT 1`;

const tenantsSeen = async (tx: Tx | typeof db, table: string) => {
  const { rows } = await sql<{ tenant_id: number }>`
    SELECT DISTINCT tenant_id FROM ${sql.table(table)} WHERE tenant_id IS NOT NULL`.execute(tx);
  return rows.map(({ tenant_id: tenantId }) => tenantId);
};

const denied = { code: '42501' };

test('the catalogue knows tenant tables, and there is a sample row for each', () => {
  expect(isolated).toEqual(expect.arrayContaining(['users', 'sessions', 'refresh_tokens', 'event_logs']));
  expect(Object.keys(samples).toSorted()).toEqual(isolated);
});

describe.each(isolated)('%s', (table) => {
  test('a tenant sees its own rows and no others', async () => {
    for (const tenant of [a, b]) {
      expect(await inTenant(db, tenant, (tx) => tenantsSeen(tx, table))).toEqual([tenant]);
    }
  });

  test('without a tenant, or with one that does not exist, no row is visible', async () => {
    expect(await tenantsSeen(db, table)).toEqual([]);
    expect(await inTenant(db, 0, (tx) => tenantsSeen(tx, table))).toEqual([]);
    expect(await inTenant(db, -1, (tx) => tenantsSeen(tx, table))).toEqual([]);
    expect(
      await asOwner(
        undefined,
        async (client) => (await client.query(`SELECT FROM ${table} WHERE tenant_id IS NOT NULL`)).rowCount,
      ),
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
    const seen = (client: pg.PoolClient) =>
      client.query(`SELECT DISTINCT tenant_id FROM ${table} WHERE tenant_id IS NOT NULL`);
    expect((await asOwner(a, seen)).rows).toEqual([{ tenant_id: a }]);
    const giveAway = asOwner(a, (client) => client.query(`UPDATE ${table} SET tenant_id = ${b}`));
    // No policy lets an event change, so no row is found.
    if (table === 'event_logs') expect((await giveAway).rowCount).toBe(0);
    else await expect(giveAway).rejects.toMatchObject(denied);
  });
});

test('tables that are not isolated hold no personal data in clear columns', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_name = ANY ($1) AND column_name ~ 'mail|name|phone|birth|anamnesis|password|token$'`,
    [notIsolated],
  );
  expect(rows).toEqual([]);
});

test('a pooled connection forgets its tenant: after a commit, a rollback, an error, a time-out', async () => {
  const seesNothing = async () => {
    const { rows } = await sql<{ tenant: string | null; users: number }>`
      SELECT current_setting('app.tenant', true) AS tenant, (SELECT count(*)::int FROM users) AS users`.execute(
      db,
    );
    expect(rows).toEqual([{ tenant: expect.toBeOneOf(['', null]), users: 0 }]);
  };
  const process = async (tx: Tx | typeof db) =>
    (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)).rows[0]?.pid;
  const pid = await inTenant(db, a, process);
  await seesNothing();

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
    await seesNothing();
    expect(await inTenant(db, b, (tx) => tenantsSeen(tx, 'users'))).toEqual([b]);
    await seesNothing();
  }
  // It was the same connection all the time.
  expect(await process(db)).toBe(pid);
});

test('no row refers to a row of another tenant', async () => {
  const foreign = await inTenant(db, b, async (tx) => ({
    user: (await sql<{ id: number }>`SELECT id FROM users`.execute(tx)).rows[0]?.id,
    session: (await sql<{ uuid: string }>`SELECT uuid FROM sessions`.execute(tx)).rows[0]?.uuid,
    physician: (await sql<{ id: number }>`SELECT id FROM physicians`.execute(tx)).rows[0]?.id,
    annotation: (await sql<{ uuid: string }>`SELECT uuid FROM dermatologist_annotations`.execute(tx)).rows[0]
      ?.uuid,
  }));
  for (const statement of [
    sql`UPDATE sessions SET user_id = ${foreign.user}`,
    sql`UPDATE refresh_tokens SET session_uuid = ${foreign.session}`,
    sql`UPDATE password_reset_tokens SET user_id = ${foreign.user}`,
    sql`UPDATE invitations SET invited_by = ${foreign.user}`,
    sql`UPDATE patients SET account_user_id = ${foreign.user}`,
    sql`UPDATE push_devices SET session_uuid = ${foreign.session}`,
    sql`UPDATE user_notices SET user_id = ${foreign.user}`,
    sql`UPDATE dermatologist_annotations SET physician_id = ${foreign.physician}`,
    sql`UPDATE audit_annotations SET annotation_uuid = ${foreign.annotation}`,
    sql`UPDATE user_group_members SET user_id = ${foreign.user}`,
    sql`UPDATE application_parameters SET updated_by = ${foreign.user} WHERE tenant_id = ${a}`,
  ]) {
    await expect(inTenant(db, a, (tx) => statement.execute(tx))).rejects.toMatchObject({ code: '23503' });
  }
});

test('a role that is neither the app nor the owner can call none of them', async () => {
  await owner.query(`CREATE ROLE another_role`);
  try {
    const { rows } = await owner.query(`
      SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef
        AND has_function_privilege('another_role', p.oid, 'EXECUTE')`);
    expect(rows).toEqual([]);
  } finally {
    await owner.query('DROP ROLE another_role');
  }
});

test('a lookup returns one row for one exact key, and nothing without it', async () => {
  const { rows } = await sql`SELECT * FROM find_login('%')`.execute(db);
  expect(rows).toEqual([]);
  const found = await sql`SELECT tenant_id FROM find_login(${`${b}@example.org`})`.execute(db);
  expect(found.rows).toEqual([{ tenant_id: b }]);
  for (const name of ['find_reset_token', 'find_invitation']) {
    expect((await sql`SELECT * FROM ${sql.id(name)}(${Buffer.alloc(0)}, now())`.execute(db)).rows).toEqual(
      [],
    );
  }
  const tokens = sql`SELECT * FROM find_refresh_tokens(${[Buffer.alloc(0)]}, ARRAY[now()])`;
  expect((await tokens.execute(db)).rows).toEqual([]);
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

test('every tenant reads the defaults of the platform, and the app neither changes nor adds one', async () => {
  const defaults = sql`SELECT FROM application_parameters WHERE tenant_id IS NULL`;
  const count = (await defaults.execute(db)).rows.length;
  expect(count).toBeGreaterThan(20);
  for (const tenant of [a, b]) {
    expect((await inTenant(db, tenant, (tx) => defaults.execute(tx))).rows).toHaveLength(count);
    for (const statement of [
      sql`UPDATE application_parameters SET value = '1' WHERE tenant_id IS NULL`,
      sql`DELETE FROM application_parameters WHERE tenant_id IS NULL`,
    ]) {
      const { numAffectedRows } = await inTenant(db, tenant, (tx) => statement.execute(tx));
      expect(numAffectedRows).toBe(0n);
    }
    const insert = sql`INSERT INTO application_parameters (branch, sub_branch, key, value, visibility)
      VALUES ('mobile', 'app', 'of_everybody', '1', 'public')`;
    await expect(inTenant(db, tenant, (tx) => insert.execute(tx))).rejects.toMatchObject(denied);
  }
  expect((await owner.query('UPDATE application_parameters SET value = value')).rowCount).toBe(count);
});

test('a recorded AI call or check is neither changed nor deleted, and the app creates no tenant', async () => {
  for (const statement of [
    sql`UPDATE ml_diagnosis_results SET outcome = 'ok'`,
    sql`DELETE FROM ml_diagnosis_results`,
    sql`UPDATE user_check_logs SET outcome = 'eligible'`,
    sql`DELETE FROM user_check_logs`,
    sql`INSERT INTO tenants (uuid, name, slug) VALUES (gen_random_uuid(), 'C', 'c')`,
  ]) {
    await expect(inTenant(db, a, (tx) => statement.execute(tx))).rejects.toMatchObject(denied);
  }
});

test('no partition of the event log that must be kept can be dropped, not even by its function', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT relid::regclass::text AS name FROM pg_partition_tree('event_logs') WHERE isleaf`,
  );
  for (const { name } of rows) {
    await expect(sql`SELECT drop_event_log_partition(${name}, now())`.execute(db)).rejects.toThrow();
  }
  for (const name of ['users', 'event_logs', 'event_logs_auth', 'event_logs_auth_2001m01', "users'; --"]) {
    await expect(sql`SELECT drop_event_log_partition(${name}, now())`.execute(db)).rejects.toThrow();
  }
  await owner.query(`CREATE TABLE event_logs_auth_2001m01 PARTITION OF event_logs_auth
    FOR VALUES FROM ('2001-01-01Z') TO ('2001-02-01Z')`);
  await sql`SELECT drop_event_log_partition('event_logs_auth_2001m01', now())`.execute(db);
  const { rows: left } = await owner.query(`SELECT to_regclass('event_logs_auth_2001m01') AS oid`);
  expect(left).toEqual([{ oid: null }]);
});
