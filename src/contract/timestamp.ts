import { z } from 'zod';

/** A point in time: a `Date` from the database, in a reply ISO 8601 in UTC with `Z`. */
export const Timestamp = z
  .date()
  .transform((date) => date.toISOString())
  .pipe(z.iso.datetime());
