import { expect, test } from 'vitest';
import { quietUntil } from '../../../../src/domain/delivery/news/quiet-hours.ts';

const at = (time: string) => new Date(`2026-${time}Z`);
const night = { from: 22, to: 7 };

test.each([
  ['UTC', night, '11-23T21:59', undefined],
  ['UTC', night, '11-23T22:00', '11-24T07:00'],
  ['UTC', night, '11-24T03:17', '11-24T07:00'],
  ['UTC', night, '11-24T06:59', '11-24T07:00'],
  ['UTC', night, '11-24T07:00', undefined],
  ['UTC', { from: 13, to: 15 }, '11-24T14:30', '11-24T15:00'],
  ['UTC', { from: 13, to: 13 }, '11-24T13:30', undefined],
  ['UTC', null, '11-24T03:00', undefined],
  ['Asia/Jerusalem', night, '11-23T19:59', undefined],
  ['Asia/Jerusalem', night, '11-23T20:00', '11-24T05:00'],
  // Half an hour beside the full hours of UTC.
  ['Asia/Kolkata', night, '11-23T20:10', '11-24T01:30'],
  // The clocks go forward at two, and back at three.
  ['Europe/Madrid', night, '03-28T23:30', '03-29T05:00'],
  ['Europe/Madrid', night, '10-24T23:30', '10-25T06:00'],
])('in %s, quiet %o: at %s until %s', (zone, quiet, now, until) => {
  const expected = until === undefined ? undefined : at(until);
  expect(quietUntil({ quiet_hours: quiet, time_zone: zone }, at(now))).toEqual(expected);
});
