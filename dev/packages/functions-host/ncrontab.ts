// When a timer runs next: NCRONTAB expressions (github.com/atifaziz/NCrontab), in UTC.
import { Cron } from 'croner';

export type Schedule = {
  /** The first occurrence after `now`; both in ms since 1970. */
  next(now: number): number;
};

const FIELD = /^(?:\*|\d+(?:-\d+)?)(?:\/\d+)?$/;
/** Azure refuses 7, which other dialects take for Sunday. */
const DAY_OF_WEEK = /^(?:\*|[0-6](?:-[0-6])?)(?:\/\d+)?$/;

/** `{second} {minute} {hour} {day} {month} {day of week}`, in numbers. Throws for anything else, also for what only Azure reads. */
export function parseSchedule(expression: string): Schedule {
  const fields = expression.trim().split(/\s+/);
  const isReadable = fields.every((list, index) =>
    list.split(',').every((item) => (index === 5 ? DAY_OF_WEEK : FIELD).test(item)),
  );
  if (fields.length !== 6 || !isReadable) {
    throw new Error(
      `"${expression}" is not an NCRONTAB expression: six fields of numbers, "*", ",", "-", "/"`,
    );
  }
  // NCRONTAB differs from Unix cron: day and day of week must both fit; `5/15` runs from 5 to the end of the range.
  const cron = new Cron(fields.join(' '), { timezone: 'UTC', domAndDow: true, sloppyRanges: true });
  return {
    next(now) {
      const next = cron.nextRun(new Date(now));
      if (next === null) throw new Error(`"${expression}" never occurs`);
      return next.getTime();
    },
  };
}
