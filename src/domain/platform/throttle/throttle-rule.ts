/** One counter: at most `limit` attempts in a window of `seconds`. */
export interface ThrottleRule {
  key: Buffer;
  limit: number;
  seconds: number;
  /** Which attempts stay counted once they are judged; `failures` where absent. */
  counts?: 'failures' | 'successes';
}

/** Counts distinct members, such as the addresses that a network tries. */
export interface DistinctRule extends ThrottleRule {
  member: Buffer;
}
