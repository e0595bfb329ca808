import { sql } from 'kysely';
import type { Db } from '../../lib/db/connect.ts';
import { Problem, type ProblemCode } from '../../lib/problem.ts';

/** One counter: at most `limit` attempts in a window of `seconds`. */
export interface ThrottleRule {
  key: Buffer;
  limit: number;
  seconds: number;
}

/**
 * Takes one attempt from each counter before anything expensive is done, or none from any. Atomic across all
 * instances: fifty guesses side by side count as fifty.
 *
 * @returns seconds until the next attempt is allowed; 0 when this one is.
 */
export async function reserveAttempt(db: Db, rules: readonly ThrottleRule[], now: Date): Promise<number> {
  const limits = rules.map(({ limit }) => limit);
  const seconds = rules.map((rule) => rule.seconds);
  const { rows } = await sql<{ wait: number }>`
    SELECT reserve_attempt(${keysOf(rules)}::bytea[], ${limits}::integer[], ${seconds}::integer[], ${now}) AS wait
  `.execute(db);
  return rows[0]?.wait ?? 0;
}

/**
 * Takes one attempt from each counter, for good.
 * @throws {Problem} `rate_limited` with a true `Retry-After`.
 */
export async function requireAttempt(db: Db, rules: readonly ThrottleRule[], now: Date): Promise<void> {
  const wait = await reserveAttempt(db, rules, now);
  if (wait === 0) return;
  throw new Problem('rate_limited', {
    detail: `Try again in ${wait} seconds.`,
    headers: { 'retry-after': String(wait) },
  });
}

/**
 * Runs `work` with an attempt reserved, and gives the attempt back unless `work` ends in one of the `failures`: what
 * succeeds or was never judged (a full queue, a database that went away) does not count.
 *
 * @throws {Problem} `rate_limited` with a true `Retry-After`, and whatever `work` throws.
 */
export async function withAttempt<T>(
  db: Db,
  { rules, now, failures }: { rules: readonly ThrottleRule[]; now: Date; failures: readonly ProblemCode[] },
  work: () => Promise<T>,
): Promise<T> {
  await requireAttempt(db, rules, now);
  // What has been done or refused stands, whether or not the attempt can be given back.
  const release = () => releaseAttempt(db, rules).catch(() => undefined);
  try {
    const result = await work();
    await release();
    return result;
  } catch (error) {
    if (!(error instanceof Problem && failures.includes(error.code))) await release();
    throw error;
  }
}

/** Rows are locked in the order of their keys here too, so that no two statements wait for each other. */
async function releaseAttempt(db: Db, rules: readonly ThrottleRule[]): Promise<void> {
  await sql`
    UPDATE throttle_counters AS c SET attempts = greatest(c.attempts - 1, 0)
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
