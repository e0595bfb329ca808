import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createAnalyticsFeed } from '../../../../src/domain/delivery/analytics/analytics-feed.ts';
import { countCases } from '../../../../src/domain/delivery/analytics/count-cases.ts';
import { keepFeed } from '../../../../src/domain/delivery/analytics/analytics.queries.ts';
import type { AnalyticsMessage } from '../../../../src/domain/delivery/analytics/publication.ts';
import { connectDatabase } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { type Hub, HubUnavailable } from '../../../../src/lib/live/web-pubsub.ts';
import { createLog } from '../../../../src/lib/telemetry/log.ts';
import { createTenant, tenantRows } from '../../../support/accounts.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';
import { queueCases } from '../../../support/queue-stage.ts';

// What is published, when and by whom, with a clock that the test moves and a hub in memory.

const database = await testDatabase();
const { db, pool } = connectDatabase({ url: database.url, poolMax: 10, onIdleError: () => undefined });
afterwards(() => pool.end());

let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
const later = (ms: number) => void (aheadMs += ms);
const everyMs = 2000;

/** A hub in memory, and a feed on it; further feeds stand for further instances. */
function stage() {
  const sent: AnalyticsMessage[] = [];
  const greeted: AnalyticsMessage[] = [];
  const groups = new Set<string>();
  const lines: string[] = [];
  const state = { isDown: false, askedBeforeConnecting: 3, beforeSending: async () => {}, failsOnce: '' };
  const orDown = () => {
    if (state.isDown) throw new HubUnavailable(new Error('down'));
  };
  const orOnce = (call: string) => {
    if (state.failsOnce !== call) return;
    state.failsOnce = '';
    throw new HubUnavailable(new Error('once'));
  };
  let asked = 0;
  const hub: Hub = {
    name: 'analytics',
    invite: async (_to, now) => ({ url: 'wss://hub.example', expiresAt: now }),
    isConnected: async () => {
      orDown();
      orOnce('isConnected');
      return (asked += 1) > state.askedBeforeConnecting;
    },
    sendToGroup: async (group, message) => {
      await state.beforeSending();
      orDown();
      // Clients are in groups by the hour in which their tokens end.
      groups.add(group);
      if (!sent.includes(message as AnalyticsMessage)) sent.push(message as AnalyticsMessage);
    },
    sendToUser: async (_user, message) => {
      orOnce('sendToUser');
      greeted.push(message as AnalyticsMessage);
    },
  };
  const newFeed = () => {
    const log = createLog((_level, line) => void lines.push(line));
    const feed = createAnalyticsFeed({ db, hub, clock, log, everyMs });
    onTestFinished(feed.close);
    return feed;
  };
  return { sent, greeted, groups, lines, state, newFeed };
}

/** A tenant that nobody else has, watched for the next hour. */
async function watchedTenant(isWatched = true): Promise<number> {
  const tenantId = await createTenant(database, randomUUID());
  const inAnHour = new Date(clock.now().getTime() + 3_600_000);
  if (isWatched) await inTenant(db, tenantId, (tx) => keepFeed(tx, tenantId, inAnHour));
  return tenantId;
}

async function newPhysician(tenantId: number, activeAt: Date): Promise<number> {
  const [row] = await tenantRows<{ id: number }>(
    database,
    `WITH person AS (
       INSERT INTO users (uuid, tenant_id, email, password_hash, role)
       VALUES (gen_random_uuid(), $1::integer, gen_random_uuid() || '@example.org', '!', 'physician') RETURNING id)
     INSERT INTO physicians (uuid, tenant_id, user_id, last_active_at)
     SELECT gen_random_uuid(), $1::integer, id, $2 FROM person RETURNING id`,
    [tenantId, activeAt],
    tenantId,
  );
  return row?.id as number;
}

async function seqOf(tenantId: number): Promise<number> {
  const [row] = await tenantRows<{ seq: number }>(
    database,
    'SELECT seq FROM analytics_feeds WHERE tenant_id = $1',
    [tenantId],
    tenantId,
  );
  return Number(row?.seq);
}

const ofTenant = (messages: readonly AnalyticsMessage[], tenantId: number) =>
  messages.filter(({ tenant_id: id }) => id === tenantId);

test('of ten instances that look at the same moment one publishes, and none again until something changes', async () => {
  const { sent, newFeed } = stage();
  const tenantId = await watchedTenant();
  const feeds = Array.from({ length: 10 }, newFeed);
  const publishAll = () => Promise.all(feeds.map((feed) => feed.publishAll()));
  await publishAll();
  expect(ofTenant(sent, tenantId).map(({ seq }) => seq)).toEqual([1]);
  later(everyMs);
  await publishAll();
  expect(ofTenant(sent, tenantId)).toHaveLength(1);
  await queueCases(database, [{}], tenantId);
  await publishAll();
  expect(ofTenant(sent, tenantId).map(({ seq, queue }) => [seq, queue.by_triage.routine])).toEqual([
    [1, 0],
    [2, 1],
  ]);
  // Within the distance nothing is sent, whatever has changed; after it the state at that time.
  await queueCases(database, [{}, {}], tenantId);
  await publishAll();
  expect(ofTenant(sent, tenantId)).toHaveLength(2);
  later(everyMs);
  await publishAll();
  expect(ofTenant(sent, tenantId).at(-1)).toMatchObject({ seq: 3, queue: { by_triage: { routine: 3 } } });
});

test('nothing is counted or sent for a tenant that nobody watches, or no longer', async () => {
  const { sent, newFeed } = stage();
  const [never, once] = [await watchedTenant(false), await watchedTenant()];
  const feed = newFeed();
  later(3_600_000);
  await feed.publishAll();
  expect([...ofTenant(sent, never), ...ofTenant(sent, once)]).toEqual([]);
  // One subscription does not shorten another.
  const until = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000);
  await inTenant(db, once, (tx) => keepFeed(tx, once, until(10)));
  await inTenant(db, once, (tx) => keepFeed(tx, once, until(5)));
  later(7 * 60_000);
  await feed.publishAll();
  expect(ofTenant(sent, once)).toHaveLength(1);
});

test('a message that the hub did not take is made up for by the next one, whatever has changed; other tenants get theirs', async () => {
  const { sent, lines, state, newFeed } = stage();
  const [tenantId, other] = [await watchedTenant(), await watchedTenant()];
  const feed = newFeed();
  await feed.publishAll();
  await queueCases(database, [{}], tenantId);
  later(everyMs);
  state.isDown = true;
  expect(await feed.publishAll()).toBe(0);
  expect(lines.filter((line) => line.includes('analytics_unpublished'))).toHaveLength(1);
  state.isDown = false;
  later(everyMs);
  await feed.publishAll();
  const told = ofTenant(sent, tenantId).map(({ seq, queue }) => [seq, queue.by_triage.routine]);
  expect(told).toEqual([
    [1, 0],
    [3, 1],
  ]);
  expect(ofTenant(sent, other)).toHaveLength(1);
});

test('a message whose process ends before the hub has it is made up for by another instance, also where the counts are the old ones again', async () => {
  const { sent, state, newFeed } = stage();
  const tenantId = await watchedTenant();
  const ending = newFeed();
  await ending.publishAll();
  const [queued] = await queueCases(database, [{}], tenantId);
  later(everyMs);
  state.beforeSending = () => new Promise(() => {});
  void ending.publishAll();
  const begun = () => seqOf(tenantId);
  await expect.poll(begun).toBe(2);
  state.beforeSending = async () => {};
  // Another client may have seen the change: the message before does not make up for it.
  const test = 'UPDATE request_records SET is_test = true WHERE uuid = $1';
  await tenantRows(database, test, [queued], tenantId);
  later(everyMs);
  await newFeed().publishAll();
  expect(ofTenant(sent, tenantId).map(({ seq, queue }) => [seq, queue.by_triage.routine])).toEqual([
    [1, 0],
    [3, 0],
  ]);
  // Once the hub has taken it, nothing is sent again.
  later(everyMs);
  await newFeed().publishAll();
  expect(ofTenant(sent, tenantId)).toHaveLength(2);
});

test('a client receives nothing any more within two hours after it was invited, although others of its tenant do', async () => {
  const { groups, newFeed } = stage();
  const tenantId = await watchedTenant();
  const feed = newFeed();
  const { group } = await feed.invite(tenantId, clock.now());
  const isSentTo = async () => {
    groups.clear();
    await queueCases(database, [{}], tenantId);
    await feed.publishAll();
    return groups.has(group);
  };
  const minute = 60_000;
  expect(await isSentTo()).toBe(true);
  later(59 * minute);
  expect(await isSentTo()).toBe(true);
  later(61 * minute);
  const inAnHour = new Date(clock.now().getTime() + 60 * minute);
  await inTenant(db, tenantId, (tx) => keepFeed(tx, tenantId, inAnHour));
  expect(await isSentTo()).toBe(false);
  expect([...groups].filter((each) => each.startsWith(`tenant-${tenantId}-`))).not.toEqual([]);
});

test('a client is sent the state once it has connected, and not to the others of its tenant', async () => {
  const { sent, greeted, newFeed } = stage();
  const tenantId = await watchedTenant();
  await queueCases(database, [{ rank: 1 }], tenantId);
  await newFeed().invite(tenantId, clock.now());
  await expect.poll(() => greeted).toHaveLength(1);
  expect(greeted[0]).toMatchObject({
    type: 'snapshot',
    tenant_id: tenantId,
    seq: 0,
    queue: { by_triage: { urgent_24h: 1 } },
  });
  expect(sent).toEqual([]);
});

test.each(['isConnected', 'sendToUser'] as const)(
  'a client is sent the state although the hub fails once (%s)',
  async (call) => {
    const tenantId = await watchedTenant();
    const { greeted, state, newFeed } = stage();
    state.failsOnce = call;
    await newFeed().invite(tenantId, clock.now());
    await expect.poll(() => greeted, { timeout: 5000 }).toMatchObject([{ type: 'snapshot' }]);
  },
);

test('closing ends what waits, and a feed that is closed is silent', async () => {
  const { lines, state, greeted, newFeed } = stage();
  state.askedBeforeConnecting = Infinity;
  const feed = newFeed();
  const tenantId = await watchedTenant();
  await feed.invite(tenantId, clock.now());
  feed.stir(tenantId);
  // What waits ends by the call, not by the second that is given to what cannot be ended.
  const closed = feed.close().then(() => 'closed');
  expect(await Promise.race([closed, sleep(900, 'waits')])).toBe('closed');
  feed.stir(tenantId);
  expect([lines, greeted]).toEqual([[], []]);
});

test('the counts: what waits, is looked at, was answered lately, and how the AI service does; tests do not count', async () => {
  const tenantId = await watchedTenant();
  const now = clock.now();
  const count = () => inTenant(db, tenantId, (tx) => countCases(tx, tenantId, now));
  const ahead = aheadMs / 60_000;
  const queued = await queueCases(
    database,
    [
      { rank: 0, dueIn: ahead - 30 },
      { rank: 2, dueIn: ahead + 60 },
      ...Array.from({ length: 9 }, () => ({ dueIn: ahead + 600 })),
    ],
    tenantId,
  );
  const [, , inReview, onHold, isTest, ...answered] = queued;
  const set = (uuid: string | undefined, columns: string, values: unknown[] = []) =>
    tenantRows(
      database,
      `UPDATE request_records SET ${columns} WHERE uuid = $1`,
      [uuid, ...values],
      tenantId,
    );
  const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  const physician = await newPhysician(tenantId, minutesAgo(14));
  await newPhysician(tenantId, minutesAgo(16));
  const taken = `status = 'in_review', assigned_physician_id = $2, lease_expires_at = $3`;
  await set(inReview, taken, [physician, minutesAgo(-20)]);
  await set(onHold, `status = 'on_hold', pending_status = 'awaiting_patient', held_at = $2`, [now]);
  await set(isTest, 'is_test = true');
  // Answered 10, 50, 70 and 130 minutes ago, an hour after they were sent, the last one two; and one the day before yesterday.
  for (const [index, [ago, took]] of [
    [10, 60],
    [50, 60],
    [70, 60],
    [130, 120],
    [2880, 600],
  ].entries()) {
    const at = minutesAgo(ago as number);
    await set(
      answered[index],
      `status = 'closed', answered_at = $2::timestamptz, submitted_at = $2::timestamptz - make_interval(mins => $3), queued_at = NULL`,
      [at, took],
    );
  }
  expect(await count()).toEqual({
    queue: {
      by_triage: { emergency: 1, urgent_24h: 0, soon_2_weeks: 0, routine: 2, self_care: 0 },
      by_lane: [{ pool: 'general', language: 'en', waiting: 3, overdue: 1 }],
      overdue: 1,
      oldest_due_at: expect.any(String),
    },
    in_review: 1,
    on_hold: 1,
    answered_last_hour: 2,
    median_minutes_to_answer_24h: 60,
    physicians_active: 1,
    ai: { state: 'unknown', p95_ms: null },
  });
  const { queue } = await count();
  expect(Math.abs(Date.parse(queue.oldest_due_at ?? '') - minutesAgo(30).getTime())).toBeLessThan(60_000);

  const calls = (outcome: string, times: number, minutes: number) =>
    tenantRows(
      database,
      `INSERT INTO ml_diagnosis_results (uuid, tenant_id, kind, input_sha256, outcome, latency_ms, language, request_id, created_at)
       SELECT gen_random_uuid(), $1::integer, 'triage', sha256('x'), $2, 100 * n, 'en', 'r', $4
       FROM generate_series(1, $3::integer) AS n`,
      [tenantId, outcome, times, minutesAgo(minutes)],
      tenantId,
    );
  const ai = async () => (await count()).ai;
  await calls('timeout', 5, 20);
  expect(await ai()).toEqual({ state: 'unknown', p95_ms: null });
  await calls('timeout', 1, 5);
  expect(await ai()).toEqual({ state: 'down', p95_ms: 100 });
  await calls('ok', 8, 5);
  expect(await ai()).toMatchObject({ state: 'degraded' });
  await calls('ok', 1, 5);
  expect(await ai()).toEqual({ state: 'ok', p95_ms: expect.any(Number) });
});
