import type { InvocationContext, Timer as TimerInfo } from '@azure/functions';
import { beforeEach, expect, test } from 'vitest';
import type { AppContext } from '../../../src/lib/app/context.ts';
import { connectDatabase } from '../../../src/lib/db/connect.ts';
import { serveTimers } from '../../../src/lib/timers/run-due.ts';
import { dailyAt, everyMinute } from '../../../src/lib/timers/schedule.ts';
import type { Timer } from '../../../src/lib/timers/timer.ts';
import { afterwards } from '../../support/cleanup.ts';
import { testDatabase } from '../../support/database.ts';

const { url, db: owner } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 5, onIdleError: () => undefined });
afterwards(() => pool.end());

const midnight = Date.parse('2026-11-28T00:00:00Z');
let now = new Date(midnight);
const at = (minutes: number) => void (now = new Date(midnight + minutes * 60_000 + 5000));
beforeEach(async () => {
  await owner.query('DELETE FROM timers');
});

/** An instance with these timers, one minute of it, and what it has logged. */
function instance(timers: readonly Partial<Timer>[], TIMERS_OFF: readonly string[] = []) {
  const lines: { event: string; function: string; error?: string }[] = [];
  const later: string[] = [];
  const add = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  const handler = serveTimers({
    timers: timers.map((each) => ({
      name: 'one',
      schedule: everyMinute,
      summary: '',
      run: async () => ({}),
      ...each,
    })),
    context: {
      db,
      clock: { now: () => now },
      config: { LOG_LEVEL: 'info', TIMERS_OFF },
    } as unknown as AppContext,
    write: (_, line) => void later.push(line),
    waitMs: 400,
  });
  const minute = (input?: string) =>
    handler(
      (input === undefined ? {} : { input }) as unknown as TimerInfo,
      { log: add, warn: add, error: add } as unknown as InvocationContext,
    );
  return { minute, lines, later };
}

/** A timer that counts its runs. */
function counting(name: string, more: Partial<Timer> = {}) {
  let runs = 0;
  const count = () => (runs += 1);
  return { timer: { name, run: async () => ({ runs: count() }), ...more }, count, runs: () => runs };
}

const states = async () =>
  (
    await owner.query<{ name: string; outcome: string | null; error: string | null; leased: boolean }>(
      `SELECT name, outcome, error, leased_until IS NOT NULL AS leased FROM timers ORDER BY name`,
    )
  ).rows;

test('a timer runs once for each time at which it falls due, first after it is known', async () => {
  const [often, nightly] = [counting('often'), counting('nightly', { schedule: dailyAt(0, 2) })];
  const { minute, lines } = instance([often.timer, nightly.timer]);
  const counts: number[][] = [];
  for (const minutes of [0, 1, 1, 2, 3, 4]) {
    at(minutes);
    await minute();
    counts.push([often.runs(), nightly.runs()]);
  }
  expect(counts).toEqual([
    [0, 0],
    [1, 0],
    [1, 0],
    [2, 1],
    [3, 1],
    [4, 1],
  ]);
  expect(lines.at(-1)).toMatchObject({ event: 'timer', function: 'often', runs: 4 });
  expect(await states()).toEqual([
    { name: 'nightly', outcome: 'done', error: null, leased: false },
    { name: 'often', outcome: 'done', error: null, leased: false },
  ]);
});

test('what was missed is made up for once, within a quarter of an hour', async () => {
  const nightly = counting('nightly', { schedule: dailyAt(0, 2) });
  const { minute } = instance([nightly.timer]);
  at(0);
  await minute();
  at(16);
  await minute();
  await minute();
  expect(nightly.runs()).toBe(1);
  // A day later, which a restored database may not know of.
  at(24 * 60 + 18);
  await minute();
  expect(nightly.runs()).toBe(1);
});

test('a timer that fails or hangs stops no other, and its outcome is recorded', async () => {
  const last = counting('last');
  const fails = { name: 'fails', run: async () => Promise.reject(new RangeError('not for a log')) };
  const hangs = { name: 'hangs', deadlineMs: 50, run: () => new Promise<never>(() => undefined) };
  const { minute, lines } = instance([fails, hangs, last.timer]);
  at(0);
  await minute();
  at(1);
  await minute();
  expect(last.runs()).toBe(1);
  expect(lines.map(({ event, function: timer, error }) => [event, timer, error])).toEqual([
    ['timer_failed', 'fails', 'RangeError'],
    ['timer_failed', 'hangs', 'TimeoutError'],
    ['timer', 'last', undefined],
  ]);
  expect(await states()).toEqual([
    { name: 'fails', outcome: 'failed', error: 'RangeError', leased: false },
    { name: 'hangs', outcome: 'timed_out', error: 'TimeoutError', leased: false },
    { name: 'last', outcome: 'done', error: null, leased: false },
  ]);
  at(2);
  await minute();
  expect(lines).toHaveLength(6);
});

test('a timer that takes long goes on beside the others, is not begun again meanwhile, and is recorded when it ends', async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const slow = counting('slow');
  const run = async () => {
    slow.count();
    await end;
    return {};
  };
  const other = counting('other');
  const { minute, lines, later } = instance([{ ...slow.timer, run }, other.timer]);
  at(0);
  await minute();
  at(1);
  await minute();
  expect([slow.runs(), other.runs()]).toEqual([1, 1]);
  at(2);
  await minute();
  expect([slow.runs(), other.runs()]).toEqual([1, 2]);
  expect(await states()).toContainEqual({ name: 'slow', outcome: null, error: null, leased: true });
  resolve();
  await expect.poll(states).toContainEqual({ name: 'slow', outcome: 'done', error: null, leased: false });
  // Its invocation has ended, and takes no more lines.
  expect(lines.filter(({ function: timer }) => timer === 'slow')).toEqual([]);
  expect(later.map((line) => JSON.parse(line) as object)).toMatchObject([
    { event: 'timer', function: 'slow' },
  ]);
});

test('of two instances at the same minute one runs each timer', async () => {
  const timers = Array.from({ length: 8 }, (_, index) => counting(`timer${index}`));
  const instances = Array.from({ length: 4 }, () => instance(timers.map(({ timer }) => timer)));
  at(0);
  await instances[0]?.minute();
  for (const minutes of [1, 2, 3]) {
    at(minutes);
    await Promise.all(instances.map(({ minute }) => minute()));
    expect(timers.map(({ runs }) => runs())).toEqual(timers.map(() => minutes));
  }
});

test('what an instance leaves when it dies is run by another when its lease has ended', async () => {
  const timer = counting('timer');
  const { minute } = instance([timer.timer]);
  at(0);
  await minute();
  at(1);
  const dies = instance([
    { ...timer.timer, run: () => new Promise<never>(() => undefined), deadlineMs: 60_000 },
  ]);
  void dies.minute();
  await expect.poll(states).toContainEqual({ name: 'timer', outcome: null, error: null, leased: true });
  at(2);
  await minute();
  expect(timer.runs()).toBe(0);
  at(3);
  await minute();
  expect(timer.runs()).toBe(1);
});

test('one that is switched off does not run, and by hand it does; an unknown one is an error', async () => {
  const timer = counting('timer');
  const { minute, lines } = instance([timer.timer], ['timer']);
  at(0);
  await minute();
  at(1);
  await minute();
  expect(timer.runs()).toBe(0);
  await minute('timer');
  expect(timer.runs()).toBe(1);
  expect(lines).toMatchObject([{ event: 'timer', function: 'timer' }]);
  await expect(minute('nothing')).rejects.toThrow('there is no timer nothing');
});
