import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { systemActorOf } from '../../../src/contract/actor.ts';
import { auditEvents } from '../../../src/contract/audit.ts';
import { openAudit } from '../../../src/domain/platform/events/record-event.ts';
import { connectDatabase, type Tx } from '../../../src/lib/db/connect.ts';
import { isDatabaseUnavailable } from '../../../src/lib/db/errors.ts';
import { isDatabaseReachable } from '../../../src/lib/db/reachable.ts';
import { inTenant } from '../../../src/lib/db/tenant.ts';
import { createLog } from '../../../src/lib/telemetry/log.ts';
import { testDatabase } from '../../support/database.ts';
import { tcpProxy } from '../../support/tcp-proxy.ts';

// The tenant of a transaction, and the connections that the app uses. How PostgreSQL isolates tenants:
// test/domain/platform/tenants/tenant-isolation.db.test.ts.

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
  role: 'patient' as const,
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

describe('a transaction whose COMMIT gets no reply', async () => {
  const server = new URL(url);
  const line = await tcpProxy({ host: server.hostname, port: Number(server.port) });
  const address = Object.assign(new URL(url), { host: `127.0.0.1:${line.port}` }).href;
  const through = connectDatabase({ url: address, poolMax: 3, onIdleError: () => undefined });
  afterAll(() => through.pool.end());

  const audit = openAudit(auditEvents.userCreated, systemActorOf(a), { id: 'test', ipPrefix: undefined });
  const addUser = async (tx: Tx, email: string) => {
    await tx.insertInto('users').values(user(email)).execute();
  };
  const isStored = async (email: string) => {
    const find = (tx: Tx) => tx.selectFrom('users').select('id').where('email', '=', email).execute();
    return (await inTenant(db, a, find)).length === 1;
  };

  /** Runs `work` in a transaction whose COMMIT arrives, and cuts the connection once it was executed. */
  async function unanswered(email: string, work: (tx: Tx) => Promise<void>): Promise<string> {
    const made = inTenant(through.db, a, async (tx) => {
      await work(tx);
      line.mute();
      return 'made';
    });
    made.catch(() => undefined);
    await vi.waitFor(async () => expect(await isStored(email)).toBe(true), 30_000);
    line.reset();
    line.forward();
    return await made;
  }

  test('is a success where its event was committed', async () => {
    const email = 'committed@example.org';
    const work = vi.fn(async (tx: Tx) => {
      await addUser(tx, email);
      await audit.succeeded(tx);
    });
    expect(await unanswered(email, work)).toBe('made');
    expect(work).toHaveBeenCalledTimes(1);
  });

  test('fails as the database being away without an event that could prove it', async () => {
    const email = 'unproved@example.org';
    const failure = await unanswered(email, (tx) => addUser(tx, email)).catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
  });

  test('fails where the COMMIT did not arrive', async () => {
    const email = 'cut@example.org';
    const failing = inTenant(through.db, a, async (tx) => {
      await addUser(tx, email);
      await audit.succeeded(tx);
      line.reset();
      line.forward();
    });
    const failure = await failing.catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(await isStored(email)).toBe(false);
  });
});
