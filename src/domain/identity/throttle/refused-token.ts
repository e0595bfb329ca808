import type { Db } from '../../../lib/db/connect.ts';
import { Problem } from '../../../contract/problem.ts';
import { requireAttempt, type ThrottleRule } from './throttle.ts';

/**
 * Counts a token that does not exist, for good. What cannot even be a token counts like the others, but is refused
 * without the database while that is away: nobody has to wait to hear that.
 *
 * @param isWellFormed whether it could be a token.
 * @throws {Problem} `rate_limited`
 */
export async function countRefusedToken(
  db: Db,
  rules: readonly ThrottleRule[],
  isWellFormed: boolean,
  now: Date,
): Promise<void> {
  try {
    await requireAttempt(db, rules, now);
  } catch (error) {
    if (isWellFormed || error instanceof Problem) throw error;
  }
}
