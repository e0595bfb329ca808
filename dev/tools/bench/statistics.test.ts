import { expect, test } from 'vitest';
import { significant } from './compare.ts';
import { median, percentile, ratiosByRound, summarise } from './statistics.ts';

const hundred = Array.from({ length: 100 }, (_, index) => index + 1);

test('a percentile is a value that occurred: the smallest that so many do not exceed', () => {
  expect(percentile(hundred, 50)).toBe(50);
  expect(percentile(hundred, 95)).toBe(95);
  expect(percentile(hundred, 99)).toBe(99);
  expect(percentile([5], 99)).toBe(5);
  expect(percentile([1, 2, 3], 50)).toBe(2);
  expect(percentile([], 50)).toBeNaN();
});

test('a summary counts every answer the same, however the rounds split them', () => {
  const split = summarise([
    { elapsedMs: 1000, latenciesMs: hundred.slice(0, 90), cpuMs: 30 },
    { elapsedMs: 3000, latenciesMs: hundred.slice(90), cpuMs: 10 },
  ]);
  expect(split).toEqual({ perSecond: 25, p50: 50, p95: 95, p99: 99, cpuMs: 0.4 });
});

test('ratios compare neighbouring rounds, so a machine that slows down halfway does not change them', () => {
  const round = (count: number) => ({ elapsedMs: 1000, latenciesMs: Array<number>(count).fill(1) });
  expect(ratiosByRound([round(50), round(5)], [round(100), round(10)])).toEqual([0.5, 0.5]);
});

test('the median of an even number of values lies between the middle two', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test('figures keep three digits and need no exponent', () => {
  expect([0.012_345, 0.5, 4.567, 78.91, 789.4, 12_345.6, 0].map(significant)).toEqual([
    '0.0123',
    '0.500',
    '4.57',
    '78.9',
    '789',
    '12346',
    '0',
  ]);
  expect(significant(Number.NaN)).toBe('–');
});
