import { z } from 'zod';

/** A point in time: a `Date` from the database becomes ISO 8601 in UTC with `Z` on the wire. */
export const Timestamp = z
  .date()
  .transform((date) => date.toISOString())
  .pipe(z.iso.datetime());
