import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { recordEvent } from '../../../../src/domain/platform/events/record-event.ts';
import {
  createEventPartitions,
  dropEventPartitions,
} from '../../../../src/domain/platform/events/event-partitions.ts';
import { connectDatabase } from '../../../../src/lib/db/connect.ts';
import { independentSteps } from '../../../../src/lib/concurrency/independent-steps.ts';
import { createLog } from '../../../../src/lib/telemetry/log.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';

const { url, db: owner } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 4, onIdleError: () => undefined });
afterwards(() => pool.end());

let lines: Record<string, unknown>[] = [];
const log = createLog((_, line) => void lines.push(JSON.parse(line) as Record<string, unknown>));
beforeEach(() => void (lines = []));

const createPartitions = () => independentSteps(log, (attempt) => createEventPartitions(db, attempt));

const dropPartitions = () =>
  independentSteps(log, (attempt) => dropEventPartitions({ db, log }, new Date(), attempt));

type Category = Parameters<typeof recordEvent>[1]['category'];

const partition = (category: Category, endsAt: Date) =>
  `event_logs_${category}_${endsAt.getUTCFullYear()}m${String(endsAt.getUTCMonth() + 1).padStart(2, '0')}`;

/** A partition of the ten days before `endsAt`, with one event in it; made as the timer makes them. */
async function past(category: Category, endsAt: Date): Promise<string> {
  const name = partition(category, endsAt);
  const from = new Date(endsAt.getTime() - 10 * 24 * 60 * 60 * 1000);
  await owner.query(`CREATE TABLE ${name} (LIKE event_logs INCLUDING ALL)`);
  await owner.query(
    `ALTER TABLE event_logs_${category} ATTACH PARTITION ${name}
     FOR VALUES FROM ('${from.toISOString()}') TO ('${endsAt.toISOString()}')`,
  );
  await owner.query(
    `INSERT INTO event_logs (uuid, category, action, outcome, actor_kind, request_id, at)
     VALUES (gen_random_uuid(), $1, 'past', 'success', 'system', $2, $3)`,
    [category, name, from],
  );
  return name;
}

/** Both sides of the moment `age` ago, far enough apart for months and leap days. */
async function boundary(age: string): Promise<{ over: Date; notYet: Date }> {
  const { rows } = await owner.query<{ over: Date; notYet: Date }>(
    `SELECT now() - $1::interval - interval '1 hour' AS over, now() - $1::interval + interval '1 hour' AS "notYet"`,
    [age],
  );
  return rows[0] as { over: Date; notYet: Date };
}

async function exists(name: string): Promise<boolean> {
  const { rows } = await owner.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
    name,
  ]);
  return rows[0]?.found === true;
}

/** Writes events of `category` one after the other, as requests do, until told to end. */
function writer(category: Category) {
  const end = new AbortController();
  let written = 0;
  const run = (async () => {
    while (!end.signal.aborted) {
      await recordEvent(db, {
        category,
        action: 'written_meanwhile',
        outcome: 'success',
        tenantId: undefined,
        requestId: 'writer',
        ipPrefix: undefined,
      });
      written += 1;
      await sleep(1);
    }
  })();
  return {
    written: () => written,
    async end(): Promise<number> {
      end.abort();
      await run;
      return written;
    },
  };
}

async function eventsOf(category: Category, action: string): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM event_logs_${category} WHERE action = $1`,
    [action],
  );
  return rows[0]?.count ?? 0;
}

describe.each([
  ['system', '90 days'],
  ['auth', '1 year'],
  ['ai', '2 years'],
  ['admin', '5 years'],
  ['access', '10 years'],
  ['case', '15 years'],
] as const)('%s is kept for %s', (category, age) => {
  test('a partition that ended before goes with what is in it, one that ended later stays', async () => {
    const { over, notYet } = await boundary(age);
    const old = await past(category, over);
    expect(await dropPartitions()).toEqual({ dropped: 1, postponed: 0 });
    expect([await exists(old), await exists(`event_logs_${category}_default`)]).toEqual([false, true]);
    expect(lines).toMatchObject([{ level: 'info', event: 'event_partition_dropped', partition: old }]);
    const young = await past(category, notYet);
    expect(await dropPartitions()).toEqual({ dropped: 0, postponed: 0 });
    expect([await exists(young), await eventsOf(category, 'past')]).toEqual([true, 1]);
    // A past that the next case of this file must not see.
    await owner.query(`DROP TABLE ${young}`);
  });
});

test('requests write on while partitions are dropped, and nothing that they write is lost', async () => {
  const names: string[] = [];
  for (const years of [3, 4, 5, 6, 7])
    names.push(await past('auth', (await boundary(`${years} years`)).over));
  const before = await eventsOf('auth', 'written_meanwhile');
  const writing = writer('auth');
  await expect.poll(writing.written).toBeGreaterThan(20);
  expect(await dropPartitions()).toEqual({ dropped: 5, postponed: 0 });
  const then = writing.written();
  await expect.poll(writing.written).toBeGreaterThan(then + 20);
  const written = await writing.end();
  expect(await eventsOf('auth', 'written_meanwhile')).toBe(before + written);
  for (const name of names) expect(await exists(name)).toBe(false);
});

test('requests write on while a missing partition is made, and each event that they wrote is moved or stored', async () => {
  // Several times: an event commits between copying and deleting only now and then.
  for (const _ of Array.from({ length: 5 })) {
    const { rows } = await owner.query<{ name: string }>(
      `SELECT format('event_logs_auth_%s', to_char(now() AT TIME ZONE 'UTC', 'YYYY"m"MM')) AS name`,
    );
    const current = rows[0]?.name ?? '';
    await owner.query(`DROP TABLE ${current}`);
    const before = await eventsOf('auth', 'written_meanwhile');
    await owner.query(
      `INSERT INTO event_logs (uuid, category, action, outcome, actor_kind)
       SELECT gen_random_uuid(), 'auth', 'written_before', 'success', 'system' FROM generate_series(1, 5000)`,
    );
    const writers = [writer('auth'), writer('auth'), writer('auth')];
    for (const { written } of writers) await expect.poll(written).toBeGreaterThan(5);
    const made = await createPartitions();
    const counts = await Promise.all(writers.map(({ end }) => end()));
    const total = counts.reduce((sum, count) => sum + count, 0);
    expect(made).toBe(1);
    expect(await eventsOf('auth', 'written_meanwhile')).toBe(before + total);
    const left = await owner.query('SELECT count(*)::int AS count FROM event_logs_auth_default');
    expect(left.rows).toEqual([{ count: 0 }]);
  }
});

test('a category whose partition cannot be made holds up no other, and the run fails', async () => {
  const [auth, ai] = ['auth', 'ai'].map((category) => partition(category as Category, new Date()));
  await owner.query(`DROP TABLE ${auth}, ${ai}`);
  const reader = await owner.connect();
  await reader.query('BEGIN');
  await reader.query('SELECT count(*) FROM event_logs_auth');
  try {
    await expect(createPartitions()).rejects.toMatchObject({ code: '55P03' });
    expect([await exists(auth ?? ''), await exists(ai ?? '')]).toEqual([false, true]);
    expect(lines).toMatchObject([{ level: 'error', event: 'timer_step_failed', category: 'auth' }]);
  } finally {
    await reader.query('ROLLBACK');
    reader.release();
  }
  expect(await createPartitions()).toBe(1);
});

test('a partition in use is postponed to the next run, and the other partitions are dropped', async () => {
  const [read, other] = [
    await past('auth', (await boundary('2 years')).over),
    await past('system', (await boundary('1 year')).over),
  ];
  const reader = await owner.connect();
  await reader.query('BEGIN');
  await reader.query(`SELECT count(*) FROM event_logs_auth`);
  const writing = writer('auth');
  try {
    expect(await dropPartitions()).toEqual({ dropped: 1, postponed: 1 });
    expect([await exists(read), await exists(other)]).toEqual([true, false]);
    expect(await eventsOf('auth', 'past')).toBe(1);
    expect(lines).toContainEqual({ level: 'warn', event: 'event_partition_in_use', partition: read });
  } finally {
    await reader.query('COMMIT');
    reader.release();
  }
  // Requests had to wait behind the one that gave up; none of them failed.
  expect(await writing.end()).toBeGreaterThan(0);
  expect(await dropPartitions()).toEqual({ dropped: 1, postponed: 0 });
  expect(await exists(read)).toBe(false);
});

test('a partition that cannot be dropped for another reason fails the run, and the others are dropped', async () => {
  const names: string[] = [];
  for (const years of [4, 3, 2]) names.push(await past('auth', (await boundary(`${years} years`)).over));
  const [, bad] = names;
  await owner.query(`CREATE VIEW depends AS SELECT id FROM ${bad}`);
  await expect(dropPartitions()).rejects.toMatchObject({ code: '2BP01' });
  expect(await Promise.all(names.map(exists))).toEqual([false, true, false]);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 'error', event: 'timer_step_failed', partition: bad }),
  );
  await owner.query('DROP VIEW depends');
  expect(await dropPartitions()).toEqual({ dropped: 1, postponed: 0 });
});
