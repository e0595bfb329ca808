import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../lib/db/connect.ts';
import { Problem, type ProblemCode } from '../../../contract/problem.ts';

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

/** Every place is held by an attempt that is still under way. */
const placesTaken = -1;
/** Waits between looks for a place, in milliseconds: ten passwords are hashed in a second or two. */
const retryDelaysMs = [50, 100, 200, 400, 800, 1600] as const;

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

export interface Attempt {
  rules: readonly ThrottleRule[];
  /** Taken after the others, where there is one. */
  distinct?: DistinctRule | undefined;
  now: Date;
  /** Codes that count as failures; other errors were never judged and count for nothing. */
  failures: readonly ProblemCode[];
}

/**
 * Runs `work` with an attempt reserved, and gives the attempt back unless its outcome is one that the rule counts: what
 * was never judged (a full queue, a database that went away) does not count. Where only attempts that are in flight
 * stand before it, it waits about three seconds for one to end well.
 *
 * @throws {Problem} `rate_limited` with a true `Retry-After`, and whatever `work` throws.
 */
export async function withAttempt<T>(db: Db, attempt: Attempt, work: () => Promise<T>): Promise<T> {
  const { rules, distinct, now, failures } = attempt;
  await holdAttempt(db, rules, now);
  // What has been done or refused stands, whether or not its end can be written down.
  const end = (outcome: Outcome) => endAttempt(db, rules, outcome).catch(() => undefined);
  try {
    const result =
      distinct === undefined ? await work() : await withDistinct(db, distinct, { now, failures }, work);
    await end('success');
    return result;
  } catch (error) {
    await end(isFailure(error, failures) ? 'failure' : 'unjudged');
    throw error;
  }
}

type Outcome = 'success' | 'failure' | 'unjudged';

const isFailure = (error: unknown, failures: readonly ProblemCode[]) =>
  error instanceof Problem && failures.includes(error.code);

/** Only a failure leaves its member behind; another attempt with the same member finds it counted already. */
async function withDistinct<T>(
  db: Db,
  { key, member, limit, seconds }: DistinctRule,
  { now, failures }: Pick<Attempt, 'now' | 'failures'>,
  work: () => Promise<T>,
): Promise<T> {
  const { rows } = await sql<{ wait: number; is_new: boolean }>`
    SELECT * FROM reserve_distinct(${key}, ${member}, ${limit}, ${seconds}, ${now})`.execute(db);
  const { wait = 0, is_new: isNew = false } = rows[0] ?? {};
  if (wait > 0) throw rateLimited(wait);
  const release = async () => {
    if (isNew) await sql`SELECT release_distinct(${key}, ${member})`.execute(db).catch(() => undefined);
  };
  try {
    const result = await work();
    await release();
    return result;
  } catch (error) {
    if (!isFailure(error, failures)) await release();
    throw error;
  }
}

async function holdAttempt(db: Db, rules: readonly ThrottleRule[], now: Date): Promise<void> {
  let wait = await reserveAttempt(db, rules, now, true);
  for (const pauseMs of retryDelaysMs) {
    if (wait !== placesTaken) break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    wait = await reserveAttempt(db, rules, now, true);
  }
  if (wait !== 0) throw rateLimited(Math.max(wait, 1));
}

/** Rows are locked in the order of their keys here too, so that no two statements wait for each other. */
async function endAttempt(db: Db, rules: readonly ThrottleRule[], outcome: Outcome): Promise<void> {
  const returned = rules.map(({ counts = 'failures' }) => {
    const isCounted = counts === 'failures' ? outcome === 'failure' : outcome === 'success';
    return isCounted ? 0 : 1;
  });
  await sql`
    UPDATE throttle_counters AS c
    SET under_way = greatest(c.under_way - 1, 0), attempts = greatest(c.attempts - reserved.returned, 0)
    FROM (SELECT c.key, rule.returned
          FROM unnest(${keysOf(rules)}::bytea[], ${returned}::integer[]) AS rule(key, returned)
          JOIN throttle_counters c ON c.key = rule.key
          ORDER BY c.key FOR UPDATE OF c) AS reserved
    WHERE c.key = reserved.key`.execute(db);
  // A flood that is refused behind the counters, by a limit of distinct members, would leave some for each attempt.
  if (outcome === 'unjudged') await deleteCounters(db, rules, sql<boolean>`attempts = 0 AND under_way = 0`);
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

const keysOf = (rules: readonly ThrottleRule[]) => rules.map(({ key }) => key);
