import { sql } from 'kysely';
import type { Db } from '../../lib/db/connect.ts';
import { Problem } from '../../lib/problem.ts';

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
  const keys = rules.map(({ key }) => key);
  const limits = rules.map(({ limit }) => limit);
  const seconds = rules.map((rule) => rule.seconds);
  const { rows } = await sql<{ wait: number }>`
    SELECT reserve_attempt(${keys}::bytea[], ${limits}::integer[], ${seconds}::integer[], ${now}) AS wait
  `.execute(db);
  return rows[0]?.wait ?? 0;
}

/** @throws {Problem} `rate_limited` with a true `Retry-After`. */
export async function requireAttempt(db: Db, rules: readonly ThrottleRule[], now: Date): Promise<void> {
  const wait = await reserveAttempt(db, rules, now);
  if (wait === 0) return;
  throw new Problem('rate_limited', {
    detail: `Try again in ${wait} seconds.`,
    headers: { 'retry-after': String(wait) },
  });
}

/** Gives a reserved attempt back: only failures count. */
export async function releaseAttempt(db: Db, rules: readonly ThrottleRule[]): Promise<void> {
  await db
    .updateTable('throttle_counters')
    .set({ attempts: sql`greatest(attempts - 1, 0)` })
    .where(
      'key',
      'in',
      rules.map(({ key }) => key),
    )
    .execute();
}

export async function clearAttempts(db: Db, rules: readonly ThrottleRule[]): Promise<void> {
  await db
    .deleteFrom('throttle_counters')
    .where(
      'key',
      'in',
      rules.map(({ key }) => key),
    )
    .execute();
}
