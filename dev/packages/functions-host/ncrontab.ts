// When a timer runs next: NCRONTAB expressions (github.com/atifaziz/NCrontab) and TimeSpan intervals, in UTC.
import { Cron } from 'croner';

export type Schedule = {
  /** The first occurrence after `now`; both in ms since 1970. */
  next(now: number): number;
  /** False for TimeSpan intervals; the app sees it as `schedule.adjustForDST`. */
  isCron: boolean;
  /** Always more than once a minute: the host then stores no status (TimerSchedule.ShouldDisableScheduleMonitor). */
  isFrequent: boolean;
};

type Field = { name: string; low: number; high: number; names?: string[] };

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DAYS = 'sun mon tue wed thu fri sat'.split(' ');
const FIELDS: Field[] = [
  { name: 'second', low: 0, high: 59 },
  { name: 'minute', low: 0, high: 59 },
  { name: 'hour', low: 0, high: 23 },
  { name: 'day', low: 1, high: 31 },
  { name: 'month', low: 1, high: 12, names: MONTHS },
  { name: 'day of week', low: 0, high: 6, names: DAYS },
];
const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** `{second} {minute} {hour} {day} {month} {day of week}`, five fields without seconds, or `[d.]hh:mm:ss`. */
export function parseSchedule(expression: string): Schedule {
  const interval = parseTimeSpan(expression.trim());
  if (interval !== undefined) {
    return { isCron: false, isFrequent: interval < MINUTE_MS, next: (now) => now + interval };
  }

  const texts = expression.trim().split(/\s+/);
  if (texts.length === 5) texts.unshift('0');
  if (texts.length !== 6)
    throw new Error(`"${expression}" is neither a 6-field NCRONTAB expression nor a TimeSpan`);
  const sets = texts.map((text, index) => parseField(text, FIELDS[index]!));
  const isFrequent = sets[0]!.size > 1 && texts.slice(1).every((text) => text === '*');
  // Only numbers: croner's own syntax is wider than NCRONTAB's, which Azure would refuse.
  const numbers = sets.map((set) => [...set].join(','));
  const cron = new Cron(numbers.join(' '), { timezone: 'UTC', domAndDow: true });
  return { isCron: true, isFrequent, next: (now) => nextOccurrence(cron, now, expression) };
}

/** .NET's TimeSpan in its usual form; at least one of the parts must not be zero. */
function parseTimeSpan(text: string): number | undefined {
  const match = /^(?:(\d+)\.)?(\d{1,2}):([0-5]?\d)(?::([0-5]?\d))?$/.exec(text);
  if (!match) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  const ms = days * DAY_MS + ((hours * 60 + minutes) * 60 + seconds) * SECOND_MS;
  if (ms === 0 || hours > 23) throw new Error(`"${text}" is not a usable interval`);
  return ms;
}

function parseField(text: string, field: Field): Set<number> {
  const values = new Set<number>();
  for (const item of text.split(',')) {
    const match = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(item);
    if (!match) throw new Error(`"${item}" is no valid ${field.name}`);
    const [, first, last, step] = match;
    const from = first === undefined ? field.low : parseValue(first, field);
    // `5/15` runs from 5 to the end of the range; a lone `5` is just that.
    const open = first === undefined || (last === undefined && step !== undefined);
    const to = open ? field.high : parseValue(last ?? first, field);
    if (from > to || step === '0') throw new Error(`"${item}" is no valid ${field.name}`);
    for (let value = from; value <= to; value += Number(step ?? 1)) values.add(value);
  }
  return values;
}

function parseValue(text: string, { name, low, high, names }: Field): number {
  const index = names?.findIndex((each) => text.toLowerCase().startsWith(each)) ?? -1;
  const value = index === -1 ? Number(text) : index + low;
  if (!Number.isInteger(value) || value < low || value > high)
    throw new Error(`"${text}" is no valid ${name}`);
  return value;
}

/** Day and day of week must both fit: NCRONTAB differs from Unix cron here. */
function nextOccurrence(cron: Cron, now: number, expression: string): number {
  const next = cron.nextRun(new Date(now));
  if (next === null) throw new Error(`"${expression}" never occurs`);
  return next.getTime();
}
