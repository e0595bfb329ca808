import { expect, test } from 'vitest';
import {
  dailyAt,
  describeSchedule,
  everyMinute,
  hourlyAt,
  lastDue,
  quarterHourlyAt,
} from '../../../src/lib/timers/schedule.ts';

test.each([
  [everyMinute, '2026-11-28T13:40:05.000Z', '2026-11-28T13:40:00.000Z', 'every minute'],
  [quarterHourlyAt(5), '2026-11-28T13:49:59.999Z', '2026-11-28T13:35:00.000Z', 'every 15 minutes from :05'],
  [quarterHourlyAt(5), '2026-11-28T00:04:59.999Z', '2026-11-27T23:50:00.000Z', 'every 15 minutes from :05'],
  [hourlyAt(17), '2026-11-28T13:17:00.000Z', '2026-11-28T13:17:00.000Z', 'hourly at :17'],
  [dailyAt(2, 15), '2026-11-28T02:14:59.999Z', '2026-11-27T02:15:00.000Z', 'daily at 02:15 UTC'],
  // A leap day, and the day on which clocks change in Europe: days of UTC are alike.
  [dailyAt(3, 30), '2028-03-01T03:29:00.000Z', '2028-02-29T03:30:00.000Z', 'daily at 03:30 UTC'],
  [dailyAt(3, 30), '2026-10-25T03:30:00.000Z', '2026-10-25T03:30:00.000Z', 'daily at 03:30 UTC'],
])('%j at %s fell due last at %s: %s', (schedule, now, due, described) => {
  expect(lastDue(schedule, new Date(now)).toISOString()).toBe(due);
  expect(describeSchedule(schedule)).toBe(described);
});
