import { expect, test } from 'vitest';
import { dayOf, daysAfter } from '../../../../src/domain/answers/templates/answer-data.ts';

test.each([
  ['America/New_York', '2026-11-24T01:00:00Z', '2026-11-23'],
  ['Asia/Jerusalem', '2026-11-23T23:00:00Z', '2026-11-24'],
  ['UTC', '2026-11-23T23:59:59.999Z', '2026-11-23'],
  // The clocks went back an hour at 06:00 UTC.
  ['America/New_York', '2026-11-01T04:30:00Z', '2026-11-01'],
  ['America/New_York', '2026-11-02T04:30:00Z', '2026-11-01'],
  ['America/New_York', '2026-11-02T05:00:00Z', '2026-11-02'],
])('in %s, %s is on %s', (zone, at, day) => {
  expect(dayOf(new Date(at), zone)).toBe(day);
});

test.each([
  ['2026-10-31', 1, '2026-11-01'],
  ['2026-11-01', 1, '2026-11-02'],
  ['2028-02-28', 2, '2028-03-01'],
  ['2026-12-31', 365, '2027-12-31'],
])('%s and %d days: %s', (day, days, later) => {
  expect(daysAfter(day, days)).toBe(later);
});
