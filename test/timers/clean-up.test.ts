import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  type Account,
  claimsOf,
  createTenant,
  me,
  refresh,
  register,
  tenantRows,
  type Tokens,
} from '../support/accounts.ts';
import { testApp } from '../support/app.ts';

const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2' } });

const hashOf = (token: string) => createHash('sha256').update(token).digest();
const tokensOf = async (reply: Response) => (await reply.json()) as Tokens;

/** Runs the timer through the host and returns what it says it did. */
async function cleanUp(): Promise<Record<string, number>> {
  const before = app.output.length;
  await app.runTimer('cleanUp');
  const line = app.output.slice(before).find((text) => text.includes('"event":"timer"'));
  if (line === undefined) throw new Error(app.output.slice(before).join('\n'));
  return JSON.parse(line.slice(line.indexOf('{'))) as Record<string, number>;
}

/** Everything about a token happened `days` ago. */
async function age(token: string, days: number): Promise<void> {
  await tenantRows(
    app,
    `UPDATE refresh_tokens SET created_at = created_at - make_interval(days => $2),
       expires_at = expires_at - make_interval(days => $2), rotated_at = rotated_at - make_interval(days => $2)
     WHERE token_hash = $1`,
    [hashOf(token), days],
  );
}

const rowsOf = (account: Account) =>
  tenantRows<{ token_hash: Buffer }>(app, 'SELECT token_hash FROM refresh_tokens WHERE session_uuid = $1', [
    claimsOf(account.access_token).sid,
  ]);

test('the timer logs its counts', async () => {
  expect(await cleanUp()).toMatchObject({
    function: 'cleanUp',
    refresh_tokens: 0,
    sessions: 0,
    reset_tokens: 0,
    invitations: 0,
    throttle: 0,
    dead_messages: 0,
    waiting_mails: 0,
  });
});

test('an exchanged token of 29 days ago stays, and its replay still ends the family', async () => {
  const account = await register(app);
  const next = await tokensOf(await refresh(app, account.refresh_token));
  await age(account.refresh_token, 29);
  await cleanUp();
  expect(await rowsOf(account)).toHaveLength(2);
  expect((await refresh(app, account.refresh_token)).status).toBe(401);
  expect((await me(app, next.access_token)).status).toBe(401);
  const [session] = await tenantRows(app, 'SELECT revoked_reason FROM sessions WHERE uuid = $1', [
    claimsOf(account.access_token).sid,
  ]);
  expect(session).toEqual({ revoked_reason: 'reuse_detected' });
});

test('an exchanged token is deleted when it has expired and is no longer evidence; its successor stays', async () => {
  const account = await register(app);
  const next = await tokensOf(await refresh(app, account.refresh_token));
  await age(account.refresh_token, 31);
  expect(await cleanUp()).toMatchObject({ refresh_tokens: 1 });
  expect((await rowsOf(account)).map(({ token_hash: hash }) => hash)).toEqual([hashOf(next.refresh_token)]);
  expect((await refresh(app, account.refresh_token)).status).toBe(401);
  expect((await refresh(app, next.refresh_token)).status).toBe(200);
});

test('an exchanged token that has expired stays until its exchange is thirty days ago', async () => {
  const account = await register(app);
  await refresh(app, account.refresh_token);
  await tenantRows(
    app,
    `UPDATE refresh_tokens SET expires_at = now() - interval '1 day', rotated_at = now() - interval '5 days'
     WHERE token_hash = $1`,
    [hashOf(account.refresh_token)],
  );
  await cleanUp();
  expect(await rowsOf(account)).toHaveLength(2);
});

test('an expired, unused token is deleted at once', async () => {
  const account = await register(app);
  await age(account.refresh_token, 31);
  expect(await cleanUp()).toMatchObject({ refresh_tokens: 1 });
  expect(await rowsOf(account)).toEqual([]);
});

test('a session is deleted thirty days after it ended or expired, with its tokens; an open one stays', async () => {
  const [open, ended, endedLongAgo, idleLongAgo] = await Promise.all([
    register(app),
    register(app),
    register(app),
    register(app),
  ]);
  const set = (assignment: string, account: Account) =>
    tenantRows(app, `UPDATE sessions SET ${assignment} WHERE uuid = $1`, [
      claimsOf(account.access_token).sid,
    ]);
  await set(`revoked_at = now() - interval '29 days', revoked_reason = 'logout'`, ended);
  await set(`revoked_at = now() - interval '31 days', revoked_reason = 'logout'`, endedLongAgo);
  await set(`idle_expires_at = now() - interval '31 days'`, idleLongAgo);
  expect(await cleanUp()).toMatchObject({ sessions: 2 });
  const left = async (account: Account) => (await rowsOf(account)).length;
  expect(await Promise.all([open, ended, endedLongAgo, idleLongAgo].map(left))).toEqual([1, 1, 0, 0]);
  expect((await me(app, open.access_token)).status).toBe(200);
});

test('tenants that are switched off are cleaned too', async () => {
  const tenantId = await createTenant(app, 'swept');
  await register(app, { tenant: 'swept' });
  await tenantRows(app, `UPDATE refresh_tokens SET expires_at = now() - interval '1 s'`, [], tenantId);
  await app.db.query('UPDATE tenants SET is_active = false WHERE id = $1', [tenantId]);
  expect(await cleanUp()).toMatchObject({ refresh_tokens: 1 });
});

test('reset tokens and invitations go thirty days after their end, counters at the end of their window', async () => {
  const admin = await register(app, { role: 'admin' });
  const { sub } = claimsOf(admin.access_token);
  await tenantRows(
    app,
    `INSERT INTO password_reset_tokens (tenant_id, user_id, token_hash, expires_at)
     SELECT tenant_id, id, sha256(day::text::bytea), now() - make_interval(days => day)
     FROM users, unnest(ARRAY[-1, 29, 31]) AS day WHERE uuid = $1`,
    [sub],
  );
  await tenantRows(
    app,
    `INSERT INTO invitations (uuid, tenant_id, email, role, token_hash, invited_by, expires_at)
     SELECT gen_random_uuid(), tenant_id, day || '@example.org', 'patient', sha256(day::text::bytea), id,
            now() - make_interval(days => day)
     FROM users, unnest(ARRAY[-1, 29, 31]) AS day WHERE uuid = $1`,
    [sub],
  );
  await app.db.query('DELETE FROM throttle_counters');
  await app.db.query(`
    INSERT INTO throttle_counters (key, attempts, window_ends_at)
    VALUES (sha256('over'), 10, now() - interval '1 s'), (sha256('open'), 10, now() + interval '1 minute')`);
  expect(await cleanUp()).toMatchObject({ reset_tokens: 1, invitations: 1, throttle: 1 });
  const { rows } = await app.db.query(`SELECT key = sha256('open') AS open FROM throttle_counters`);
  expect(rows).toEqual([{ open: true }]);
  expect(await cleanUp()).toMatchObject({ reset_tokens: 0, invitations: 0, throttle: 0 });
});

test('idempotency keys and windows of refusals go at their end, and not a minute before', async () => {
  await app.db.query(`
    INSERT INTO idempotency_keys (tenant_id, user_key, route, key_hash, fingerprint, state, started_at, expires_at)
    SELECT 1, 'ann', 'api/x', sha256(name::bytea), sha256('x'), 'done', t - interval '1 day', t
    FROM (VALUES ('over', now() - interval '1 s'), ('open', now() + interval '1 minute')) AS known(name, t)`);
  await app.db.query('DELETE FROM refusal_windows');
  await app.db.query(`
    INSERT INTO refusal_windows (key, category, window_ends_at)
    VALUES (sha256('over'), 'auth', now() - interval '1 s'), (sha256('open'), 'auth', now() + interval '1 minute')`);
  expect(await cleanUp()).toMatchObject({ idempotency_keys: 1, refusal_windows: 1 });
  const { rows } = await app.db.query(
    `SELECT sha256('open') = ALL (SELECT key_hash FROM idempotency_keys WHERE user_key = 'ann') AS key,
            sha256('open') = ALL (SELECT key FROM refusal_windows) AS window`,
  );
  expect(rows).toEqual([{ key: true, window: true }]);
});

test('a dead message is deleted after thirty days; a waiting one stays at any age', async () => {
  await app.db.query(`
    INSERT INTO outbox_messages (tenant_id, consumer, topic, payload, dedupe_key, created_at, available_at, dead_at)
    SELECT tenant, 'mail', 'test', '{}', name, t, now() + interval '1 hour', dead
    FROM (SELECT now() - interval '99 days') AS old(t), (VALUES
      ('waits', 1, NULL),
      ('dead for 29 days', 1, now() - interval '29 days'),
      ('dead for 31 days', 1, now() - interval '31 days'),
      ('of no tenant, dead for 31 days', NULL, now() - interval '31 days')) AS message(name, tenant, dead)`);
  expect(await cleanUp()).toMatchObject({ dead_messages: 2 });
  const { rows } = await app.db.query(
    `SELECT dedupe_key FROM outbox_messages WHERE topic = 'test' ORDER BY id`,
  );
  expect(rows).toEqual([{ dedupe_key: 'waits' }, { dedupe_key: 'dead for 29 days' }]);
});

test('a great many rows go in small batches, each its own transaction', async () => {
  const account = await register(app);
  const { sid } = claimsOf(account.access_token);
  await tenantRows(
    app,
    `INSERT INTO refresh_tokens (tenant_id, user_id, session_uuid, token_hash, expires_at)
     SELECT tenant_id, user_id, uuid, sha256(n::text::bytea), now() - interval '1 s'
     FROM sessions, generate_series(1, 2500) AS n WHERE uuid = $1`,
    [sid],
  );
  await app.db.query(`
    CREATE TABLE batches (rows bigint, transaction xid8);
    GRANT INSERT ON batches TO dermagate_app;
    CREATE FUNCTION note_batch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO batches SELECT count(*), pg_current_xact_id() FROM gone; RETURN NULL; END $$;
    CREATE TRIGGER note_batch AFTER DELETE ON refresh_tokens REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION note_batch()`);
  expect(await cleanUp()).toMatchObject({ refresh_tokens: 2500 });
  const { rows } = await app.db.query<{ rows: number; transaction: string }>(
    'SELECT rows::int AS rows, transaction::text FROM batches WHERE rows > 0',
  );
  await app.db.query('DROP TRIGGER note_batch ON refresh_tokens');
  expect(rows.map((batch) => batch.rows).toSorted((a, b) => b - a)).toEqual([1000, 1000, 500]);
  expect(new Set(rows.map((batch) => batch.transaction)).size).toBe(3);
  expect((await refresh(app, account.refresh_token)).status).toBe(200);
});

test('two runs at the same time and a login in between do not stand in each other’s way', async () => {
  const account = await register(app);
  await tenantRows(
    app,
    `INSERT INTO refresh_tokens (tenant_id, user_id, session_uuid, token_hash, expires_at)
     SELECT tenant_id, user_id, uuid, sha256(('twice' || n)::bytea), now() - interval '1 s'
     FROM sessions, generate_series(1, 2000) AS n WHERE uuid = $1`,
    [claimsOf(account.access_token).sid],
  );
  const [, , renewed] = await Promise.all([
    app.runTimer('cleanUp'),
    app.runTimer('cleanUp'),
    refresh(app, account.refresh_token),
  ]);
  expect(renewed.status).toBe(200);
  expect(await rowsOf(account)).toHaveLength(2);
});
