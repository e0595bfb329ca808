import type { Attempt } from '../../../../src/lib/concurrency/independent-steps.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/contract/actor.ts';
import { announceLeaseEnds } from '../../../../src/domain/cases/queue/announce-lease-ends.ts';
import { reservedLane } from '../../../../src/domain/cases/record/lane.ts';
import { applyTransition, type Move } from '../../../../src/domain/cases/record/apply-transition.ts';
import { lockCase } from '../../../../src/domain/cases/record/case.queries.ts';
import { announceSessionEnds } from '../../../../src/domain/identity/sessions/announce-session-ends.ts';
import { addNotices } from '../../../../src/domain/announce/live/notice.queries.ts';
import { openAudit } from '../../../../src/domain/platform/events/record-event.ts';
import { connectDatabase } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';

const attempt: Attempt = (_about, step) => step();

const { url, db: owner } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 10, onIdleError: () => undefined });
afterwards(() => pool.end());
const audit = openAudit(undefined, systemActor, { id: 'notices', ipPrefix: undefined });
const now = new Date();
const minute = 60_000;

interface Physician {
  userId: number;
  physicianId: number;
}

async function account(role: 'physician' | 'patient' = 'physician'): Promise<Physician> {
  const { rows } = await inTenant(db, 1, (tx) =>
    sql<Physician>`
      WITH account AS (
        INSERT INTO users (uuid, tenant_id, email, password_hash, role)
        VALUES (gen_random_uuid(), 1, gen_random_uuid() || '@example.org', '!', ${role}) RETURNING id)
      INSERT INTO physicians (uuid, tenant_id, user_id) SELECT gen_random_uuid(), 1, id FROM account
      RETURNING user_id AS "userId", id AS "physicianId"`.execute(tx),
  );
  return rows[0] as Physician;
}

async function caseOf({ physicianId }: Physician, leaseEnds: Date): Promise<string> {
  const uuid = randomUUID();
  await inTenant(db, 1, (tx) =>
    sql`
      WITH patient AS (
        INSERT INTO patients (uuid, tenant_id, relation) VALUES (gen_random_uuid(), 1, 'other') RETURNING id)
      INSERT INTO request_records (uuid, tenant_id, patient_id, source, status, status_changed_at, language, triage_rank,
        due_at, assigned_physician_id, lease_expires_at)
      SELECT ${uuid}::uuid, 1, id, 'import', 'in_review', now(), 'en', 2, now(), ${physicianId}, ${leaseEnds} FROM patient`.execute(
      tx,
    ),
  );
  return uuid;
}

const move = (uuid: string, given: Move) =>
  inTenant(db, 1, async (tx) => {
    const record = await lockCase(tx, uuid);
    if (record === undefined) throw new Error('no case');
    await applyTransition(tx, { audit, now }, record, given);
  });

const noticesOf = ({ userId }: Physician) =>
  inTenant(db, 1, (tx) =>
    tx
      .selectFrom('user_notices')
      .select(['id', 'kind', 'payload'])
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute(),
  );

test('ids of one user commit in their order, whatever the transactions last; those of others do not wait', async () => {
  const [ann, ben] = [await account(), await account()];
  const seen: number[] = [];
  const done = new AbortController();
  /** In a transaction that ends with `work`. */
  const add = ({ userId }: Physician, work: () => Promise<void>) =>
    inTenant(db, 1, async (tx) => {
      const notice = { kind: 'case.assigned', payload: { case_uuid: randomUUID() } } as const;
      await addNotices(tx, { userId }, [notice], now);
      await work();
    });
  const look = async () => {
    const newest = seen.at(-1) ?? 0;
    for (const { id } of await noticesOf(ann)) if (id > newest) seen.push(id);
  };
  const watch = async () => {
    while (!done.signal.aborted) {
      await look();
      await sleep(2);
    }
  };
  const watching = watch();
  const [begun, othersAreIn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = add(ann, async () => {
    begun.resolve();
    await othersAreIn.promise;
  });
  await begun.promise;
  const added = Promise.all([3, 20, 1, 7].map((ms) => add(ann, () => sleep(ms))));
  // Would never end if they waited.
  await Promise.all([add(ben, () => sleep(0)), add(ben, () => sleep(0))]);
  othersAreIn.resolve();
  await Promise.all([slow, added]);
  done.abort();
  await watching;
  await look();
  // A reader who only asks for what comes after the newest id that was seen has seen them all.
  expect(seen).toEqual((await noticesOf(ann)).map(({ id }) => id));
  expect(seen).toHaveLength(5);
});

test('patients, who have no stream, get none', async () => {
  const patient = await account('patient');
  const payload = { session_uuid: randomUUID(), reason: 'logout' };
  await inTenant(db, 1, (tx) => addNotices(tx, patient, [{ kind: 'session.revoked', payload }], now));
  expect(await noticesOf(patient)).toEqual([]);
});

test('a case that is assigned, lost or cancelled is told to its physician in the same transaction', async () => {
  const [holder, next] = [await account(), await account()];
  const soon = new Date(now.getTime() + 30 * minute);
  const [assigned, lost, cancelled] = [
    await caseOf(holder, soon),
    await caseOf(holder, now),
    await caseOf(holder, soon),
  ];
  const lane = { ...reservedLane(next.physicianId, soon), lease_expires_at: null };
  await move(assigned, { transition: 'assign', by: 'staff', set: lane });
  const general = { lane_pool: 'general', lane_language: 'en', lease_expires_at: null };
  await move(lost, { transition: 'expire_lease', set: general });
  await move(cancelled, { transition: 'cancel', by: 'staff', set: { lease_expires_at: null } });
  const told = (await noticesOf(holder)).map(({ kind, payload }) => ({ kind, payload }));
  expect(told).toEqual([
    { kind: 'case.lease_expired', payload: { case_uuid: lost } },
    { kind: 'case.cancelled', payload: { case_uuid: cancelled } },
  ]);
  expect(await noticesOf(next)).toMatchObject([{ kind: 'case.assigned', payload: { case_uuid: assigned } }]);
  // Undone with the transaction that failed.
  await expect(move(lost, { transition: 'cancel', by: 'staff', set: { triage_rank: 9 } })).rejects.toThrow();
  expect(await noticesOf(holder)).toHaveLength(2);
});

test('the end of a lease is announced once, two minutes before, and again after a renewal', async () => {
  const ann = await account();
  const uuid = await caseOf(ann, new Date(now.getTime() + 30 * minute));
  await caseOf(ann, new Date(now.getTime() - 1));
  const at = async (minutes: number) => {
    await announceLeaseEnds(db, new Date(now.getTime() + minutes * minute), attempt);
    return (await noticesOf(ann)).map(({ payload }) => (payload as { ends_at: string }).ends_at);
  };
  const first = new Date(now.getTime() + 30 * minute).toISOString();
  expect(await at(26.4)).toEqual([]);
  expect(await at(27.9)).toEqual([first]);
  expect(await at(28.4)).toEqual([first]);
  const renewed = new Date(now.getTime() + 58 * minute);
  await inTenant(db, 1, (tx) =>
    tx.updateTable('request_records').set({ lease_expires_at: renewed }).where('uuid', '=', uuid).execute(),
  );
  expect(await at(29)).toEqual([first]);
  expect(await at(56)).toEqual([first, renewed.toISOString()]);
  expect(await at(58)).toEqual([first, renewed.toISOString()]);
});

test('the end of a session is announced to staff; that of one that is revoked is not', async () => {
  const [ann, patient] = [await account(), await account('patient')];
  const ends = new Date(now.getTime() + 10 * minute);
  const open = ({ userId }: Physician, revoked: boolean) =>
    sql`INSERT INTO sessions (uuid, tenant_id, user_id, auth_time, last_used_at, idle_expires_at, absolute_expires_at,
          revoked_at, revoked_reason)
        SELECT gen_random_uuid(), 1, ${userId}, ${now}, ${now}, ${ends}, ${ends},
          CASE WHEN r THEN ${now}::timestamptz END, CASE WHEN r THEN 'logout' END FROM (SELECT ${revoked}::boolean AS r) AS r`;
  await inTenant(db, 1, async (tx) => {
    for (const [who, revoked] of [
      [ann, false],
      [ann, true],
      [patient, false],
    ] as const) {
      await open(who, revoked).execute(tx);
    }
  });
  for (const minutes of [7, 8, 8.5])
    await announceSessionEnds(db, new Date(now.getTime() + minutes * minute), attempt);
  expect(await noticesOf(ann)).toMatchObject([
    { kind: 'session.expiring', payload: { ends_at: ends.toISOString() } },
  ]);
  expect(await noticesOf(patient)).toEqual([]);
});

test.each([
  ['leases', announceLeaseEnds],
  ['sessions', announceSessionEnds],
] as const)(
  'announcing the ends of %s is a step of its own for each tenant, so that one that fails holds up no other',
  async (kind, announce) => {
    const { rows } = await owner.query<{ id: number }>(
      `INSERT INTO tenants (uuid, name, slug) VALUES (gen_random_uuid(), $1, $1) RETURNING id`,
      [`other-${kind}`],
    );
    const failing: Attempt = async (about) => void tried.push(about);
    const tried: object[] = [];
    await announce(db, now, failing);
    expect(tried).toEqual(
      expect.arrayContaining([
        { tenant: 1, kind },
        { tenant: rows[0]?.id, kind },
      ]),
    );
  },
);
