import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, describe, expect, test } from 'vitest';
import { connectDatabase, type Tx } from '../../../src/lib/db/connect.ts';
import { isDatabaseReachable } from '../../../src/lib/db/reachable.ts';
import { inTenant } from '../../../src/lib/db/tenant.ts';
import { createLog } from '../../../src/lib/log.ts';
import { testDatabase } from '../../support/database.ts';

// Tenants are kept apart by the database itself, on the connections that the app uses.

const { url, db: owner } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 3, onIdleError: () => undefined });
afterAll(() => pool.end());

const { rows: tenants } = await owner.query<{ id: number }>(
  `INSERT INTO tenants (uuid, name, slug) VALUES (uuidv7(), 'A', 'a'), (uuidv7(), 'B', 'b') RETURNING id`,
);
const [a = 0, b = 0] = tenants.map(({ id }) => id);

/** A user with a session, a token and an event: a row in every table that has a tenant. */
async function populate(tenantId: number): Promise<{ userId: number; sessionUuid: string }> {
  return await inTenant(db, tenantId, async (tx) => {
    const user = await tx
      .insertInto('users')
      .values({
        uuid: uuidv7(),
        tenant_id: tenantId,
        email: `user-of-${tenantId}@example.org`,
        password_hash: 'x',
        role: 'physician',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const now = new Date();
    const sessionUuid = uuidv7();
    const own = { tenant_id: tenantId, user_id: user.id };
    const hash = () => randomBytes(32);
    await tx
      .insertInto('physicians')
      .values({ uuid: uuidv7(), ...own })
      .execute();
    await tx
      .insertInto('sessions')
      .values({
        uuid: sessionUuid,
        ...own,
        auth_time: now,
        last_used_at: now,
        idle_expires_at: now,
        absolute_expires_at: now,
      })
      .execute();
    await tx
      .insertInto('refresh_tokens')
      .values({ ...own, session_uuid: sessionUuid, token_hash: hash(), expires_at: now })
      .execute();
    await tx
      .insertInto('password_reset_tokens')
      .values({ ...own, token_hash: hash(), expires_at: now })
      .execute();
    await insertEvent(tx, tenantId);
    await tx
      .insertInto('ml_diagnosis_results')
      .values({
        uuid: uuidv7(),
        ...own,
        kind: 'diagnosis',
        input_sha256: hash(),
        outcome: 'ok',
        latency_ms: 1,
        language: 'en',
        request_id: 'x',
      })
      .execute();
    return { userId: user.id, sessionUuid };
  });
}

async function insertEvent(tx: Tx | typeof db, tenantId: number | null): Promise<void> {
  await tx
    .insertInto('event_logs')
    .values({
      uuid: uuidv7(),
      tenant_id: tenantId,
      category: 'auth',
      action: 'test',
      outcome: 'success',
      actor_kind: 'system',
    })
    .execute();
}

const ofA = await populate(a);
await populate(b);

const isolated = [
  'users',
  'physicians',
  'sessions',
  'refresh_tokens',
  'password_reset_tokens',
  'event_logs',
  'ml_diagnosis_results',
] as const;

describe.each(isolated)('%s', (table) => {
  const tenantsSeen = async (source: Tx | typeof db) => {
    const rows = await source.selectFrom(table).select('tenant_id').execute();
    return [...new Set(rows.map(({ tenant_id }) => tenant_id))];
  };

  test('shows nothing without a tenant', async () => {
    expect(await tenantsSeen(db)).toEqual([]);
  });

  test("shows one tenant its own rows and nobody else's", async () => {
    expect(await inTenant(db, a, tenantsSeen)).toEqual([a]);
    expect(await inTenant(db, b, tenantsSeen)).toEqual([b]);
  });

  test('binds the owner of the tables as well', async () => {
    const { rows } = await owner.query(`SELECT FROM ${table}`);
    expect(rows).toEqual([]);
  });

  test('lets nobody change rows of another tenant', async () => {
    if (table === 'event_logs' || table === 'ml_diagnosis_results') return;
    const touched = await inTenant(db, a, (tx) =>
      sql`UPDATE ${sql.table(table)} SET created_at = created_at WHERE tenant_id = ${b}`.execute(tx),
    );
    expect(touched.numAffectedRows).toBe(0n);
  });

  test('takes no row for another tenant', async () => {
    // The first column that fits is enough: the policy speaks before constraints do.
    const copy = (tx: Tx) =>
      sql`INSERT INTO ${sql.table(table)} OVERRIDING SYSTEM VALUE
          SELECT (jsonb_populate_record(t, jsonb_build_object('tenant_id', ${b}::int))).* FROM ${sql.table(table)} t
          LIMIT 1`.execute(tx);
    await expect(inTenant(db, a, copy)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('the event log is append-only', () => {
  test.each([
    ['updated', sql`UPDATE event_logs SET action = 'x'`],
    ['deleted', sql`DELETE FROM event_logs`],
    ['emptied', sql`TRUNCATE event_logs`],
    ['reached through a partition', sql`DELETE FROM event_logs_auth_default`],
  ])('its rows cannot be %s by the app', async (_what, statement) => {
    await expect(inTenant(db, a, (tx) => statement.execute(tx))).rejects.toMatchObject({ code: '42501' });
  });

  test('an event without a tenant can be written, and is seen by no tenant', async () => {
    await insertEvent(db, null);
    const seen = await inTenant(db, a, (tx) =>
      tx.selectFrom('event_logs').select('tenant_id').where('tenant_id', 'is', null).execute(),
    );
    expect(seen).toEqual([]);
  });
});

test('what was answered cannot be rewritten', async () => {
  for (const statement of [
    sql`UPDATE ml_diagnosis_results SET outcome = 'ok'`,
    sql`DELETE FROM ml_diagnosis_results`,
  ]) {
    await expect(inTenant(db, a, (tx) => statement.execute(tx))).rejects.toMatchObject({ code: '42501' });
  }
});

test('the app may not create tenants', async () => {
  const insert = db.insertInto('tenants').values({ uuid: uuidv7(), name: 'C', slug: 'c' });
  await expect(insert.execute()).rejects.toMatchObject({ code: '42501' });
});

test('a session of one tenant cannot belong to a user of another', async () => {
  const now = new Date();
  const foreign = inTenant(db, b, (tx) =>
    tx
      .insertInto('sessions')
      .values({
        uuid: uuidv7(),
        tenant_id: b,
        user_id: ofA.userId,
        auth_time: now,
        last_used_at: now,
        idle_expires_at: now,
        absolute_expires_at: now,
      })
      .execute(),
  );
  await expect(foreign).rejects.toMatchObject({ code: '23503' });
});

describe('the tenant of a transaction', () => {
  const usersSeen = async () => (await db.selectFrom('users').select('id').execute()).length;

  test('ends with it, on every connection of the pool', async () => {
    await Promise.all(
      Array.from({ length: 12 }, () => inTenant(db, a, (tx) => sql`SELECT pg_sleep(0.01)`.execute(tx))),
    );
    expect(await Promise.all(Array.from({ length: 12 }, usersSeen))).toEqual(
      Array.from({ length: 12 }, () => 0),
    );
  });

  test('ends with an error, too', async () => {
    const failing = Array.from({ length: 6 }, () =>
      inTenant(db, a, async (tx) => {
        await sql`SELECT 1`.execute(tx);
        throw new Error('on purpose');
      }),
    );
    const outcomes = await Promise.allSettled(failing);
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(await Promise.all(Array.from({ length: 6 }, usersSeen))).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('an error undoes what was written', async () => {
    const before = await inTenant(db, a, (tx) => tx.selectFrom('users').select('id').execute());
    const failing = inTenant(db, a, async (tx) => {
      await tx
        .insertInto('users')
        .values({
          uuid: uuidv7(),
          tenant_id: a,
          email: 'undone@example.org',
          password_hash: 'x',
          role: 'patient',
        })
        .execute();
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await inTenant(db, a, (tx) => tx.selectFrom('users').select('id').execute())).toEqual(before);
  });
});

describe('the connections of the app', () => {
  test('are of the application role, in UTC, and read bigint as a number', async () => {
    const { rows } = await sql`
      SELECT current_user AS role, current_setting('TimeZone') AS zone, 9007199254740991::bigint AS number,
             current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`.execute(
      db,
    );
    expect(rows).toEqual([
      { role: 'dermagate_app', zone: 'UTC', number: 9_007_199_254_740_991, statement: '10s', lock: '2s' },
    ]);
  });

  test('that PostgreSQL ends while they are idle are replaced', async () => {
    await sql`SELECT 1`.execute(db);
    await owner.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'dermagate' AND datname = current_database()",
    );
    await expect
      .poll(() =>
        sql`SELECT 1 AS one`.execute(db).then(
          ({ rows }) => rows,
          () => [],
        ),
      )
      .toEqual([{ one: 1 }]);
  });
});

test('reachable is a question with a time limit', async () => {
  const lines: string[] = [];
  const log = createLog((_level, line) => void lines.push(line));
  expect(await isDatabaseReachable(db, { timeoutMs: 5000, poolMax: 3 }, log)).toBe(true);
  const held = await Promise.all(Array.from({ length: 3 }, () => pool.connect()));
  expect(await isDatabaseReachable(db, { timeoutMs: 50, poolMax: 3 }, log)).toBe(false);
  held.forEach((client) => client.release());
  expect(await isDatabaseReachable(db, { timeoutMs: 5000, poolMax: 3 }, log)).toBe(true);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('database_unreachable');
});
