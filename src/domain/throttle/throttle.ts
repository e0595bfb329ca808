import { sql } from 'kysely';
import type { Db } from '../../lib/db/connect.ts';
import { Problem, type ProblemCode } from '../../lib/problem.ts';

/** One counter: at most `limit` attempts in a window of `seconds`. */
export interface ThrottleRule {
  key: Buffer;
  limit: number;
  seconds: number;
}

/** Every place is held by an attempt that is still under way. */
const placesTaken = -1;
/** Waits between looks for a place, in milliseconds: ten passwords are hashed in a second or two. */
const looksMs = [50, 100, 200, 400, 800, 1600] as const;

/**
 * Takes one attempt from each counter before anything expensive is done, or none from any. Atomic across all
 * instances: fifty guesses side by side count as fifty.
 *
 * @param hold whether {@link endAttempt} will tell how it ended.
 * @returns seconds until the next attempt is allowed; 0 when this one is; with `hold` -1 when an attempt that is
 *   under way may give its place back.
 */
export async function reserveAttempt(
  db: Db,
  rules: readonly ThrottleRule[],
  now: Date,
  hold = false,
): Promise<number> {
  const limits = rules.map(({ limit }) => limit);
  const seconds = rules.map((rule) => rule.seconds);
  const { rows } = await sql<{ wait: number }>`
    SELECT reserve_attempt(${keysOf(rules)}::bytea[], ${limits}::integer[], ${seconds}::integer[], ${now}, ${hold})
      AS wait`.execute(db);
  return rows[0]?.wait ?? 0;
}

/**
 * Takes one attempt from each counter, for good.
 * @throws {Problem} `rate_limited` with a true `Retry-After`.
 */
export async function requireAttempt(db: Db, rules: readonly ThrottleRule[], now: Date): Promise<void> {
  const wait = await reserveAttempt(db, rules, now);
  if (wait > 0) throw rateLimited(wait);
}

function rateLimited(seconds: number): Problem {
  return new Problem('rate_limited', {
    detail: `Try again in ${seconds} seconds.`,
    headers: { 'retry-after': String(seconds) },
  });
}

/**
 * Runs `work` with an attempt reserved, and gives the attempt back unless `work` ends in one of the `failures`: what
 * succeeds or was never judged (a full queue, a database that went away) does not count. Where only attempts that are
 * under way stand before it, it waits about three seconds for one to end well.
 *
 * @throws {Problem} `rate_limited` with a true `Retry-After`, and whatever `work` throws.
 */
export async function withAttempt<T>(
  db: Db,
  { rules, now, failures }: { rules: readonly ThrottleRule[]; now: Date; failures: readonly ProblemCode[] },
  work: () => Promise<T>,
): Promise<T> {
  await holdAttempt(db, rules, now);
  // What has been done or refused stands, whether or not its end can be written down.
  const end = (counts: boolean) => endAttempt(db, rules, counts).catch(() => undefined);
  try {
    const result = await work();
    await end(false);
    return result;
  } catch (error) {
    await end(error instanceof Problem && failures.includes(error.code));
    throw error;
  }
}

async function holdAttempt(db: Db, rules: readonly ThrottleRule[], now: Date): Promise<void> {
  let wait = await reserveAttempt(db, rules, now, true);
  for (const pauseMs of looksMs) {
    if (wait !== placesTaken) break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    wait = await reserveAttempt(db, rules, now, true);
  }
  if (wait !== 0) throw rateLimited(Math.max(wait, 1));
}

/** Rows are locked in the order of their keys here too, so that no two statements wait for each other. */
async function endAttempt(db: Db, rules: readonly ThrottleRule[], counts: boolean): Promise<void> {
  await sql`
    UPDATE throttle_counters AS c
    SET under_way = greatest(c.under_way - 1, 0), attempts = greatest(c.attempts - ${counts ? 0 : 1}::integer, 0)
    FROM (SELECT key FROM throttle_counters WHERE key = ANY (${keysOf(rules)}::bytea[])
          ORDER BY key FOR UPDATE) AS reserved
    WHERE c.key = reserved.key`.execute(db);
}

export async function clearAttempts(db: Db, rules: readonly ThrottleRule[]): Promise<void> {
  await sql`
    DELETE FROM throttle_counters WHERE key IN (
      SELECT key FROM throttle_counters WHERE key = ANY (${keysOf(rules)}::bytea[]) ORDER BY key FOR UPDATE)
  `.execute(db);
}

const keysOf = (rules: readonly ThrottleRule[]) => rules.map(({ key }) => key);
