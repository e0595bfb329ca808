import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSchedule } from '../ncrontab.ts';

const next = (expression: string, after: string) =>
  new Date(parseSchedule(expression).next(Date.parse(`${after}Z`))).toISOString().replace('.000Z', '');

describe('the next occurrence, in UTC', () => {
  test.each([
    ['* * * * * *', '2026-11-21T10:00:00', '2026-11-21T10:00:01'],
    ['0 */5 * * * *', '2026-11-21T10:00:00', '2026-11-21T10:05:00'],
    ['0 5/15 * * * *', '2026-11-21T10:06:00', '2026-11-21T10:20:00'],
    ['0 0 9-17 * * mon-fri', '2026-11-20T17:00:00', '2026-11-23T09:00:00'],
    ['0 30 2 * * *', '2026-11-21T02:30:00', '2026-11-22T02:30:00'],
    ['0 0 0 1 jan *', '2026-11-21T00:00:00', '2027-01-01T00:00:00'],
    ['0 0 0 31 * *', '2026-11-30T00:00:00', '2026-12-31T00:00:00'],
    ['0 0 0 29 2 *', '2026-11-21T00:00:00', '2028-02-29T00:00:00'],
    ['0 0 0 13 * 5', '2026-11-21T00:00:00', '2027-08-13T00:00:00'], // day and weekday: both, unlike Unix cron
    ['15,45 10 * * * *', '2026-11-21T10:10:15', '2026-11-21T10:10:45'],
    ['*/10 * * * *', '2026-11-21T10:01:30', '2026-11-21T10:10:00'],
    ['0 0 22 * * sunday', '2026-11-21T00:00:00', '2026-11-22T22:00:00'],
  ])('%s after %s is %s', (expression, after, expected) => {
    expect(next(expression, after)).toBe(expected);
  });

  test.each([
    ['00:00:30', '2026-11-21T10:00:10', '2026-11-21T10:00:40'],
    ['01:30', '2026-11-21T10:00:10', '2026-11-21T11:30:10'],
    ['1.00:00:00', '2026-11-21T10:00:10', '2026-11-22T10:00:10'],
  ])('the interval %s after %s ends at %s', (expression, after, expected) => {
    expect(next(expression, after)).toBe(expected);
  });

  test('is always later, on a whole second, and the first that fits', () => {
    const field = (low: number, high: number) =>
      fc.oneof(
        fc.constant('*'),
        fc.integer({ min: low, max: high }).map(String),
        fc.integer({ min: 2, max: 9 }).map((n) => `*/${n}`),
      );
    const expression = fc
      .tuple(field(0, 59), field(0, 59), field(0, 23))
      .map((fields) => `${fields.join(' ')} * * *`);
    fc.assert(
      fc.property(expression, fc.integer({ min: 0, max: 4e12 }), (text, now) => {
        const schedule = parseSchedule(text);
        const found = schedule.next(now);
        expect(found).toBeGreaterThan(now);
        expect(found % 1000).toBe(0);
        expect(schedule.next(found - 1000)).toBe(found);
        expect(schedule.next((now + found) / 2)).toBe(found);
      }),
    );
  });
});

test.each([
  '',
  '* * * *',
  '* * * * * * *',
  '60 * * * * *',
  '* * * 0 * *',
  '* * * * 13 *',
  '* * * * * 7',
  '5-1 * * * * *',
  '*/0 * * * * *',
  '1,,2 * * * * *',
  '-1 * * * * *',
  'every day at six or so',
  '00:00:00',
  '25:00:00',
])('"%s" is refused', (expression) => {
  expect(() => parseSchedule(expression)).toThrow();
});

test('a day that never comes is refused when it is asked for', () => {
  expect(() => parseSchedule('0 0 0 30 2 *').next(0)).toThrow('never occurs');
});
