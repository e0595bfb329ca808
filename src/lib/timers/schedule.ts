/** When a timer is due: from a minute of the day on, in UTC, again and again. */
export interface Schedule {
  /** Divides a day, so that every day is like the other. */
  everyMinutes: number;
  /** The first minute of the day. */
  from: number;
}

const minuteMs = 60_000;

export const everyMinute: Schedule = { everyMinutes: 1, from: 0 };

export const quarterHourlyAt = (minute: number): Schedule => ({ everyMinutes: 15, from: minute });

export const hourlyAt = (minute: number): Schedule => ({ everyMinutes: 60, from: minute });

/** UTC. */
export const dailyAt = (hour: number, minute: number): Schedule => ({
  everyMinutes: 24 * 60,
  from: hour * 60 + minute,
});

/** The last time at or before `now` at which the schedule fell due. */
export function lastDue({ everyMinutes, from }: Schedule, now: Date): Date {
  // UTC has no leap seconds here: every day since 1970 has 1,440 minutes.
  const [period, offset] = [everyMinutes * minuteMs, from * minuteMs];
  return new Date(Math.floor((now.getTime() - offset) / period) * period + offset);
}

/** `every minute`, `every 15 minutes from :05`, `hourly at :17`, `daily at 02:15 UTC`. */
export function describeSchedule({ everyMinutes, from }: Schedule): string {
  const two = (number: number) => String(number).padStart(2, '0');
  if (everyMinutes === 1) return 'every minute';
  if (everyMinutes === 60) return `hourly at :${two(from)}`;
  if (everyMinutes === 24 * 60) return `daily at ${two(Math.floor(from / 60))}:${two(from % 60)} UTC`;
  return `every ${everyMinutes} minutes from :${two(from)}`;
}
