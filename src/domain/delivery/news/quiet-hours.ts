import type { Parameters } from '../../platform/parameters/parameter-schemas.ts';

type NotifyRules = Pick<Parameters<'notify/rules'>, 'quiet_hours' | 'time_zone'>;

/**
 * When the quiet hours of a tenant end; undefined outside of them. Where a change of the clocks falls into them, it is the
 * first full hour that is not quiet any more.
 */
export function quietUntil(
  { quiet_hours: quiet, time_zone: zone }: NotifyRules,
  now: Date,
): Date | undefined {
  if (quiet === null) return undefined;
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  const clockAt = (at: Date) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    return { hour: parts.get('hour') ?? 0, minute: parts.get('minute') ?? 0 };
  };
  const { from, to } = quiet;
  const isQuiet = (hour: number) => (from <= to ? hour >= from && hour < to : hour >= from || hour < to);
  const { hour, minute } = clockAt(now);
  if (!isQuiet(hour)) return undefined;
  const minuteMs = 60_000;
  let end = new Date(Math.floor(now.getTime() / minuteMs) * minuteMs + (60 - minute) * minuteMs);
  for (let hours = 0; hours < 26 && isQuiet(clockAt(end).hour); hours += 1) {
    end = new Date(end.getTime() + 60 * minuteMs);
  }
  return end;
}
