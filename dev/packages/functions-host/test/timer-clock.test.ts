// Timers against a clock that the test moves.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTimer } from '../timers.ts';

beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-11-21T10:00:00.500Z') }));
afterEach(() => void vi.useRealTimers());

function timerWith(schedule: string, run: (data: string) => Promise<void> = async () => {}) {
  const runs: string[] = [];
  const timer = createTimer('tick', schedule, async (_, data) => {
    runs.push(new Date().toISOString().slice(11));
    await run(data);
    return { lines: [] };
  });
  timer.start();
  return { timer, runs };
}

test('runs at each occurrence, once', async () => {
  const { timer, runs } = timerWith('*/2 * * * * *');
  await vi.advanceTimersByTimeAsync(6000);
  timer.stop();
  await vi.advanceTimersByTimeAsync(6000);
  expect(runs).toEqual(['10:00:02.000Z', '10:00:04.000Z', '10:00:06.000Z']);
});

test('an occurrence whose timer fires a moment early is not run twice', async () => {
  const { now } = Date;
  const { timer, runs } = timerWith('*/2 * * * * *');
  vi.spyOn(Date, 'now').mockImplementation(() => now() - 1);
  await vi.advanceTimersByTimeAsync(6100);
  timer.stop();
  vi.restoreAllMocks();
  expect(runs).toHaveLength(3);
});

test('runs never overlap: an occurrence that a long run covers is made up for at its end', async () => {
  const { timer, runs } = timerWith('*/2 * * * * *', async () => {
    await new Promise((resolve) => setTimeout(resolve, 3000));
  });
  await vi.advanceTimersByTimeAsync(10_000);
  timer.stop();
  expect(runs).toEqual(['10:00:02.000Z', '10:00:05.001Z', '10:00:08.002Z']);
});

test('waits longer than a timer of Node can are slept in parts', async () => {
  const { timer, runs } = timerWith('0 0 0 1 1 *');
  await vi.advanceTimersByTimeAsync(40 * 86_400_000);
  expect(runs).toEqual([]);
  await vi.advanceTimersByTimeAsync(365 * 86_400_000);
  timer.stop();
  expect(runs).toEqual(['00:00:00.000Z']);
});

test('the status tells the last and the next occurrence', async () => {
  const payloads: unknown[] = [];
  const { timer } = timerWith('0 */5 * * * *', async (data) => {
    payloads.push(JSON.parse(data));
  });
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  timer.stop();
  expect(payloads).toEqual([
    {
      Schedule: { AdjustForDST: true },
      ScheduleStatus: {
        Last: '0001-01-01T00:00:00+00:00',
        Next: '2026-11-21T10:05:00+00:00',
        LastUpdated: '0001-01-01T00:00:00+00:00',
      },
      IsPastDue: false,
    },
    {
      Schedule: { AdjustForDST: true },
      ScheduleStatus: {
        Last: '2026-11-21T10:05:00+00:00',
        Next: '2026-11-21T10:10:00+00:00',
        LastUpdated: '2026-11-21T10:05:00+00:00',
      },
      IsPastDue: false,
    },
  ]);
});
