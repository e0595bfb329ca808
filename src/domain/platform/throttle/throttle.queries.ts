import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../lib/db/connect.ts';
import type { DistinctRule, ThrottleRule } from './throttle-rule.ts';

/**
 * Reserves one attempt in every counter, or in none, before anything expensive happens. Atomic across all instances:
 * fifty concurrent guesses count as fifty.
 *
 * @param hold whether {@link endReserved} will report the outcome.
 * @returns seconds until the next attempt is allowed; 0 when this one is; with `hold` -1 when an attempt in flight may
 *   return its slot.
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

/** An attempt in flight that ends. */
export interface ReservedAttempt {
  key: Buffer;
  /** 0 where it stays counted, 1 where it does not. */
  returned: number;
  /** The latest end of the window that has counted it. */
  latestEnd: Date;
}

/**
 * Locks rows in key order, as `reserve_attempt` does, so that two statements cannot deadlock. A window that has begun since
 * the attempt does not count it.
 */
export async function endReserved(db: Db, attempts: readonly ReservedAttempt[]): Promise<void> {
  const returned = attempts.map((attempt) => attempt.returned);
  const latestEnds = attempts.map(({ latestEnd }) => latestEnd);
  await sql`
    UPDATE throttle_counters AS c
    SET in_flight = greatest(c.in_flight - 1, 0), attempts = greatest(c.attempts - reserved.returned, 0)
    FROM (SELECT c.key, rule.returned
          FROM unnest(${keysOf(attempts)}::bytea[], ${returned}::integer[], ${latestEnds}::timestamptz[])
            AS rule(key, returned, latest_end)
          JOIN throttle_counters c ON c.key = rule.key AND c.window_ends_at <= rule.latest_end
          ORDER BY c.key FOR UPDATE OF c) AS reserved
    WHERE c.key = reserved.key`.execute(db);
}

/** Deletes the counters that count nothing. */
export async function deleteEmptyCounters(db: Db, rules: readonly ThrottleRule[]): Promise<void> {
  await deleteCounters(db, rules, sql<boolean>`attempts = 0 AND in_flight = 0`);
}

export async function clearAttempts(db: Db, rules: readonly ThrottleRule[]): Promise<void> {
  await deleteCounters(db, rules, sql<boolean>`true`);
}

async function deleteCounters(
  db: Db,
  rules: readonly ThrottleRule[],
  condition: RawBuilder<boolean>,
): Promise<void> {
  await sql`
    DELETE FROM throttle_counters WHERE key IN (
      SELECT key FROM throttle_counters WHERE key = ANY (${keysOf(rules)}::bytea[]) AND ${condition}
      ORDER BY key FOR UPDATE)
  `.execute(db);
}

/**
 * Adds a member to the set of a counter.
 * @returns seconds until the next new member is allowed, 0 when this one is; and whether it was not in the set before.
 */
export async function reserveDistinct(
  db: Db,
  { key, member, limit, seconds }: DistinctRule,
  now: Date,
): Promise<{ wait: number; isNew: boolean }> {
  const { rows } = await sql<{ wait: number; is_new: boolean }>`
    SELECT * FROM reserve_distinct(${key}, ${member}, ${limit}, ${seconds}, ${now})`.execute(db);
  const { wait = 0, is_new: isNew = false } = rows[0] ?? {};
  return { wait, isNew };
}

export async function releaseDistinct(db: Db, { key, member }: DistinctRule): Promise<void> {
  await sql`SELECT release_distinct(${key}, ${member})`.execute(db);
}

/**
 * As {@link reserveDistinct}, for those members that are not in the set yet.
 * @returns the longest wait of them in seconds.
 */
export async function reserveNewMembers(
  db: Db,
  { key, limit, seconds }: ThrottleRule,
  members: readonly Buffer[],
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ wait: number | null }>`
    WITH fresh AS MATERIALIZED (
      SELECT member FROM unnest(${members}::bytea[]) AS member
      WHERE NOT EXISTS (SELECT FROM throttle_counters WHERE key = member AND window_ends_at > ${now}))
    SELECT max(counted.wait) AS wait
    FROM fresh, LATERAL reserve_distinct(${key}, member, ${limit}, ${seconds}, ${now}) AS counted`.execute(
    db,
  );
  return rows[0]?.wait ?? 0;
}

const keysOf = (rules: readonly { key: Buffer }[]) => rules.map(({ key }) => key);
