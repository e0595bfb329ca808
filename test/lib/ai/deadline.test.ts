import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { deadlineIn, pauseWithin, timedOut } from '../../../src/lib/ai/deadline.ts';

test('a deadline counts down to 0 and not below, and has then timed out', async () => {
  const deadline = deadlineIn(300);
  expect(deadline.remainingMs()).toBeGreaterThan(0);
  expect(deadline.remainingMs()).toBeLessThanOrEqual(300);
  expect(timedOut(deadline)).toBe(false);
  await sleep(400);
  expect(deadline.remainingMs()).toBe(0);
  expect(deadline.signal.aborted).toBe(true);
  expect(timedOut(deadline)).toBe(true);
});

test('a cancelled deadline has not timed out', () => {
  const ended = new AbortController();
  const deadline = deadlineIn(60_000, ended.signal);
  ended.abort();
  expect(deadline.signal.aborted).toBe(true);
  expect(timedOut(deadline)).toBe(false);
});

test('a pause ends after its time, and with the deadline at the latest', async () => {
  const order: string[] = [];
  const called = new AbortController();
  const far = deadlineIn(60_000);
  await Promise.all([
    pauseWithin(far, 20).then(() => order.push('paused')),
    pauseWithin(deadlineIn(200), 60_000).then(() => order.push('ran out')),
    pauseWithin(deadlineIn(60_000, called.signal), 60_000).then(() => order.push('called off')),
    sleep(400).then(() => called.abort()),
  ]);
  expect(order).toEqual(['paused', 'ran out', 'called off']);
});

test('there is no pause after the deadline', async () => {
  const ended = new AbortController();
  ended.abort();
  const over = deadlineIn(60_000, ended.signal);
  await expect(Promise.race([pauseWithin(over, 30_000), sleep(1000, 'too long')])).resolves.toBeUndefined();
});
