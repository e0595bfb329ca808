import { expect, test } from 'vitest';
import { histogramOf } from './waiting-times.ts';

test('each case is counted once, in the bin of its time and under its rank', () => {
  const waits = [0.5, 1, 1.9, 300].map((seconds) => ({ rank: 2, seconds }));
  const lines = histogramOf([...waits, { rank: 0, seconds: 0.1 }]).split('\n');
  expect(lines[0]).toBe('emergency: 1 cases, p50 0.1 s, p95 0.1 s, max 0.1 s');
  expect(lines[1]).toBe(`     < 1 s     1 ${'#'.repeat(50)}`);
  const rest = lines.slice(11);
  expect(rest[0]).toBe('all others: 4 cases, p50 1.0 s, p95 300.0 s, max 300.0 s');
  expect(rest.slice(1).map((line) => Number(line.slice(11, 16)))).toEqual([1, 2, 0, 0, 0, 0, 0, 0, 0, 1]);
  expect(rest.at(-1)).toBe(`  >= 256 s     1 ${'#'.repeat(25)}`);
});
