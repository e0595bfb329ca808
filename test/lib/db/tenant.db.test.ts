import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, describe, expect, test } from 'vitest';
import { connectDatabase } from '../../../src/lib/db/connect.ts';
import { isDatabaseReachable } from '../../../src/lib/db/reachable.ts';
import { inTenant } from '../../../src/lib/db/tenant.ts';
import { createLog } from '../../../src/lib/log.ts';
import { testDatabase } from '../../support/database.ts';

// The tenant of a transaction, and the connections that the app uses. How PostgreSQL isolates tenants:
// test/domain/identity/tenants/tenant-isolation.db.test.ts.

const { url, db: owner } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 3, onIdleError: () => undefined });
afterAll(() => pool.end());

const { rows: tenants } = await owner.query<{ id: number }>(
  `INSERT INTO tenants (uuid, name, slug) VALUES (uuidv7(), 'A', 'a') RETURNING id`,
);
const [a = 0] = tenants.map(({ id }) => id);
const user = (email: string) => ({
  uuid: uuidv7(),
  tenant_id: a,
  email,
  password_hash: 'x',
  role: 'patient',
});
await inTenant(db, a, (tx) => tx.insertInto('users').values(user('first@example.org')).execute());

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
      await tx.insertInto('users').values(user('undone@example.org')).execute();
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
