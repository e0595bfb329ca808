/**
 * The only source of "now" for what the app decides: one clock says whether something has expired, and tests can move
 * time. The database's own has two uses: columns that default to the time of their row, and functions that compare with
 * these: they make and drop partitions, and delete nothing early even if the app names a later time.
 */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
