import { expect, test } from 'vitest';
import { goalTable, isReached, timesHealthy } from './goals.ts';

test('a goal is reached at its bound, and by nothing that was not measured', () => {
  const reached = (ratio: number, bound: { atLeast: number } | { atMost: number }) =>
    isReached({ what: '', ratio, ...bound });
  expect([0.44, 0.45, Number.NaN].map((ratio) => reached(ratio, { atLeast: 0.45 }))).toEqual([
    false,
    true,
    false,
  ]);
  expect([2.1, 2, Number.NaN].map((ratio) => reached(ratio, { atMost: 2 }))).toEqual([false, true, false]);
});

test('each has a line with its ratio and its bound', () => {
  const lines = goalTable([
    { what: 'me', ratio: 0.3, atLeast: 0.45 },
    { what: 'CPU of me', ratio: 3, atMost: timesHealthy(0.45) },
  ]).split('\n');
  expect(lines[1]).toMatch(/^ {2}me +× 0\.300 +≥ 0\.450 +MISSED$/);
  expect(lines[2]).toMatch(/^ {2}CPU of me +× 3\.00 +≤ 3\.75 +reached$/);
});
