import { z } from 'zod';

/** A point in time: a `Date` from the database, in a reply ISO 8601 in UTC with `Z`. */
export const Timestamp = z
  .date()
  .transform((date) => date.toISOString())
  .pipe(z.iso.datetime());

/** What PostgreSQL does not read: offsets that no place on Earth has, and very long fractions. */
const readable = /^(?:19|2\d)\d\d-.{14,24}(?:Z|[+-](?:0\d|1[0-5]):\d\d)$/;

/** A point in time that a client names: text, because a `Date` would lose the microseconds. */
export const Moment = z.iso.datetime({ offset: true, abort: true }).refine((text) => readable.test(text), {
  error: 'Must be of the years 1900 to 2999, with at most nine decimals and an offset of less than 16 hours.',
});
