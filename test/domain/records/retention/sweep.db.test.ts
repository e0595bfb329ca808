import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startSession } from '../../../../src/domain/identity/sessions/start-session.ts';
import { replaceResetToken } from '../../../../src/domain/identity/users/reset-token.queries.ts';
import { createAccount } from '../../../../src/domain/membership/users/create-account.ts';
import { connectDatabase } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { createLog } from '../../../../src/lib/telemetry/log.ts';
import { inTurn, sweep } from '../../../../src/domain/records/retention/sweep.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';

const lines: string[] = [];
const log = createLog((_level, line) => void lines.push(line));

const { url, db: owner } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 2, onIdleError: () => undefined });
afterwards(() => pool.end());

test('at its deadline the sweep stops; the next one goes on', async () => {
  await owner.query(`
    INSERT INTO throttle_counters (key, window_ends_at)
    SELECT sha256(n::text::bytea), now() - interval '1 s' FROM generate_series(1, 1500) AS n`);
  const passed = AbortSignal.abort();
  expect(await sweep({ db, log }, new Date(), passed)).toMatchObject({ throttle: 0 });
  const deadline = new AbortController();
  const sweeping = sweep({ db, log }, new Date(), deadline.signal);
  // The first batch is under way.
  deadline.abort();
  expect(await sweeping).toMatchObject({ throttle: 1000 });
  expect(await sweep({ db, log }, new Date(), AbortSignal.timeout(60_000))).toMatchObject({ throttle: 500 });
});

test('in as many hours as there are tenants, each is the first once, and all are swept each time', () => {
  const hours = [0, 1, 2, 3].map((hour) => new Date(Date.UTC(2026, 10, 27, hour, 17)));
  const runs = hours.map((now) => inTurn(['a', 'b', 'c', 'd'], now));
  expect(runs.map(([first = '']) => first).toSorted()).toEqual(['a', 'b', 'c', 'd']);
  for (const run of runs) expect(run.toSorted()).toEqual(['a', 'b', 'c', 'd']);
  expect(inTurn([], new Date())).toEqual([]);
});

test('locked rows are skipped, not waited for', async () => {
  await owner.query(`
    INSERT INTO throttle_counters (key, window_ends_at)
    VALUES (sha256('held'), now() - interval '1 s'), (sha256('free'), now() - interval '1 s')`);
  const holder = await owner.connect();
  await holder.query('BEGIN');
  await holder.query(`SELECT FROM throttle_counters WHERE key = sha256('held') FOR UPDATE`);
  expect(await sweep({ db, log }, new Date(), AbortSignal.timeout(60_000))).toMatchObject({ throttle: 1 });
  await holder.query('ROLLBACK');
  holder.release();
  expect(await sweep({ db, log }, new Date(), AbortSignal.timeout(60_000))).toMatchObject({ throttle: 1 });
});

test('a mail that has waited 30 days for a mail server goes; younger ones, retried ones and other messages stay', async () => {
  const now = new Date();
  const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 60 * 60 * 1000);
  const add = (consumer: string, topic: string, created: number, available = created) =>
    owner.query(
      `INSERT INTO outbox_messages (consumer, topic, payload, created_at, available_at) VALUES ($1, $2, '{}', $3, $4)`,
      [consumer, topic, daysAgo(created), daysAgo(available)],
    );
  await add('mail', 'password_reset_requested', 31);
  await add('mail', 'password_changed', 30);
  await add('mail', 'invitation', 29);
  await add('mail', 'made_due_again', 31, 0);
  await add('analysis', 'case_to_analyse', 31);
  expect(await sweep({ db, log }, now, AbortSignal.timeout(60_000))).toMatchObject({
    waiting_mails: 2,
    dead_messages: 0,
  });
  const left = await owner.query('SELECT topic FROM outbox_messages ORDER BY id');
  expect(left.rows.map(({ topic }) => topic)).toEqual(['invitation', 'made_due_again', 'case_to_analyse']);
  await owner.query('TRUNCATE outbox_messages');
});

test('a kind that fails in a tenant holds up neither its other kinds nor other tenants, and the run fails', async () => {
  const { rows } = await owner.query<{ id: number }>(
    `INSERT INTO tenants (uuid, name, slug) VALUES (gen_random_uuid(), 'Other', 'other') RETURNING id`,
  );
  const tenants = [1, rows[0]?.id ?? 0];
  const now = new Date();
  const longAgo = new Date(now.getTime() - 60 * 24 * 60 * 60 * 1000);
  for (const tenantId of tenants) {
    await inTenant(db, tenantId, async (tx) => {
      const account = {
        tenantId,
        email: `of-${tenantId}@example.org`,
        passwordHash: 'x',
        language: 'en',
      } as const;
      const { id: userId } = await createAccount(tx, { ...account, role: 'patient' });
      await replaceResetToken(tx, { tenantId, userId, hash: randomBytes(32), now: longAgo });
      await tx
        .insertInto('email_verification_tokens')
        .values({
          tenant_id: tenantId,
          user_id: userId,
          email: account.email,
          token_hash: randomBytes(32),
          expires_at: longAgo,
        })
        .execute();
    });
  }
  await owner.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
    CREATE TRIGGER refuse BEFORE DELETE ON password_reset_tokens
    FOR EACH ROW WHEN (OLD.tenant_id = 1) EXECUTE FUNCTION refuse()`);
  lines.length = 0;
  await expect(sweep({ db, log }, now, AbortSignal.timeout(60_000))).rejects.toThrow('refused');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { event: 'timer_step_failed', tenant: 1, kind: 'reset_tokens' },
  ]);
  const left = async (table: 'password_reset_tokens' | 'email_verification_tokens') =>
    await Promise.all(
      tenants.map((id) => inTenant(db, id, (tx) => tx.selectFrom(table).select('id').execute())),
    );
  expect((await left('password_reset_tokens')).map(({ length }) => length)).toEqual([1, 0]);
  expect(await left('email_verification_tokens')).toEqual([[], []]);
  await owner.query('DROP FUNCTION refuse CASCADE');
});

test('a device that was last seen 90 days ago goes, and a check after two years; younger ones stay', async () => {
  const now = new Date();
  const daysAgo = (days: number, shiftMs = 0) =>
    new Date(now.getTime() - days * 24 * 60 * 60 * 1000 + shiftMs);
  await inTenant(db, 1, async (tx) => {
    const account = { tenantId: 1, email: 'ann@example.org', passwordHash: 'x', language: 'en' } as const;
    const { id: userId } = await createAccount(tx, { ...account, role: 'patient' });
    const { sessionUuid } = await startSession(
      tx,
      {
        tenantId: 1,
        userId,
        now,
        refreshTokenHash: Buffer.alloc(32),
        sessionLimit: 5,
        isUniqueInTenant: false,
      },
      { ipPrefix: undefined, userAgent: undefined },
    );
    for (const lastSeenAt of [daysAgo(90), daysAgo(90, 1000)]) {
      const device = { uuid: randomUUID(), tenant_id: 1, user_id: userId, session_uuid: sessionUuid };
      await tx
        .insertInto('push_devices')
        .values({
          ...device,
          platform: 'ios',
          token_hash: randomBytes(32),
          token: 'sealed',
          app_version: '1.0',
          last_seen_at: lastSeenAt,
        })
        .execute();
    }
    for (const days of [732, 729]) {
      const check = { tenant_id: 1, user_id: userId, check_kind: 'token' as const, outcome: 'expired' };
      await tx
        .insertInto('user_check_logs')
        .values({ ...check, created_at: daysAgo(days) })
        .execute();
    }
  });
  expect(await sweep({ db, log }, now, AbortSignal.timeout(60_000))).toMatchObject({
    push_devices: 1,
    check_logs: 1,
  });
  const left = await inTenant(db, 1, async (tx) => [
    await tx.selectFrom('push_devices').select('last_seen_at').execute(),
    await tx.selectFrom('user_check_logs').select('created_at').execute(),
  ]);
  expect(left).toEqual([[{ last_seen_at: daysAgo(90, 1000) }], [{ created_at: daysAgo(729) }]]);
  // A clock that is ahead does not shorten the two years.
  const inTenYears = new Date(now.getTime() + 10 * 366 * 24 * 60 * 60 * 1000);
  expect(await sweep({ db, log }, inTenYears, AbortSignal.timeout(60_000))).toMatchObject({ check_logs: 0 });
});

test('a device goes with the next sweep after its session has expired; those of open sessions stay', async () => {
  const now = new Date();
  const past = new Date(now.getTime() - 1000);
  const later = new Date(now.getTime() + 1000);
  const devices = await inTenant(db, 1, async (tx) => {
    await tx.deleteFrom('push_devices').execute();
    const account = { tenantId: 1, email: 'ben@example.org', passwordHash: 'x', language: 'en' } as const;
    const { id: userId } = await createAccount(tx, { ...account, role: 'patient' });
    const made = [];
    for (const [idle, absolute] of [
      [past, later],
      [later, past],
      [later, later],
    ] as const) {
      const own = { tenant_id: 1, user_id: userId };
      const [session, uuid] = [randomUUID(), randomUUID()];
      const ends = { idle_expires_at: idle, absolute_expires_at: absolute };
      await tx
        .insertInto('sessions')
        .values({ uuid: session, ...own, auth_time: past, last_used_at: past, ...ends })
        .execute();
      const token = { token_hash: randomBytes(32), token: 'sealed', app_version: '1.0', last_seen_at: past };
      await tx
        .insertInto('push_devices')
        .values({ uuid, ...own, session_uuid: session, platform: 'ios', ...token })
        .execute();
      made.push(uuid);
    }
    return made;
  });
  expect(await sweep({ db, log }, now, AbortSignal.timeout(60_000))).toMatchObject({
    push_devices: 2,
    sessions: 0,
  });
  const left = await inTenant(db, 1, (tx) => tx.selectFrom('push_devices').select('uuid').execute());
  expect(left).toEqual([{ uuid: devices[2] }]);
});
