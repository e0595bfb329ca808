import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../lib/app/context.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { inDoubt } from '../../../lib/concurrency/in-doubt.ts';
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

/** Every free slot belongs to an attempt that is still in flight. */
const slotsInFlight = -1;
/** Pauses between tries for a slot, in milliseconds: ten passwords are hashed in a second or two. */
const retryDelaysMs = [50, 100, 200, 400, 800, 1600] as const;

/**
 * Reserves one attempt in every counter, or in none, before anything expensive happens. Atomic across all instances:
 * fifty concurrent guesses count as fifty.
 *
 * @param hold whether {@link endAttempt} will report the outcome.
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

/**
 * Counts one attempt in every counter, permanently.
 * @throws {Problem} `rate_limited` with a true `Retry-After`.
 */
export async function requireAttempt(db: Db, rules: readonly ThrottleRule[], now: Date): Promise<void> {
  const wait = await reserveAttempt(db, rules, now);
  if (wait > 0) throw rateLimited(wait);
}

/** What a rule is made of: its limit, the key of its counter, and the network of the request. */
export type Limits = Pick<Context, 'config' | 'throttleKey' | 'request'>;

export const minute = 60;
export const hour = 60 * minute;
export const day = 24 * hour;

/**
 * Counts a token that does not exist, permanently. Existing tokens pass, so that junk from a network locks no user out.
 * A malformed token counts like the others, but is refused without the database while that is unreachable.
 *
 * @throws {Problem} `rate_limited`
 */
export async function countRefusedToken(
  { db, config, throttleKey, request }: Limits & Pick<Context, 'db'>,
  kind: 'refresh' | 'reset' | 'verification',
  isWellFormed: boolean,
): Promise<void> {
  const key = throttleKey('refused_token', kind, request.ipPrefix);
  const rule = { key, limit: config.LIMIT_REFUSED_CREDENTIALS_PER_NETWORK, seconds: 15 * minute };
  await countRefusal(db, [rule], isWellFormed, request.receivedAt);
}

/**
 * As {@link countRefusedToken} with rules of one's own.
 * @throws {Problem} `rate_limited`
 */
export async function countRefusal(
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

export function rateLimited(seconds: number): Problem {
  return new Problem('rate_limited', {
    detail: `Try again in ${seconds} seconds.`,
    retryAfter: seconds,
  });
}

export interface Attempt {
  rules: readonly ThrottleRule[];
  /** Reserved after the other rules. */
  distinct?: DistinctRule | undefined;
  now: Date;
  /** Problem codes that count as failures. Other errors leave the attempt unjudged, and it is not counted. */
  failures: readonly ProblemCode[];
}

/** An end of an attempt that PostgreSQL has not taken. */
interface Unrecorded {
  id: string;
  record: () => Promise<void>;
  isRecorded: boolean;
}

/**
 * Until they are recorded their attempts occupy slots, and count. One whose reply never came may be recorded twice, which
 * grants one more attempt.
 */
const unrecorded = inDoubt<Db, Unrecorded>({
  keyOf: ({ id }) => id,
  async settle(_db, ends) {
    for (const end of ends.filter(({ isRecorded }) => !isRecorded)) {
      await end.record();
      end.isRecorded = true;
    }
  },
});

/** The result of an attempt stands also where its end cannot be recorded, which then happens as soon as PostgreSQL answers. */
async function record(db: Db, end: () => Promise<void>): Promise<void> {
  await end().catch(() => unrecorded.add(db, [{ id: randomUUID(), record: end, isRecorded: false }]));
}

/**
 * Runs `work` with an attempt reserved, and returns the attempt unless the rule counts its outcome: an attempt that was
 * never judged (queue full, database unreachable) does not count. When only attempts in flight occupy the slots, it
 * waits about three seconds for one to succeed.
 *
 * @throws {Problem} `rate_limited` with a true `Retry-After`, and anything that `work` throws.
 */
export async function withAttempt<T>(db: Db, attempt: Attempt, work: () => Promise<T>): Promise<T> {
  const { rules, distinct, now, failures } = attempt;
  await holdAttempt(db, rules, now);
  const end = (outcome: Outcome) => record(db, () => endAttempt(db, rules, outcome, now));
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

/** Only a failure leaves its member in the set; a later attempt with the same member does not count again. */
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
    if (!isNew) return;
    await record(db, async () => void (await sql`SELECT release_distinct(${key}, ${member})`.execute(db)));
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
    if (wait !== slotsInFlight) break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    wait = await reserveAttempt(db, rules, now, true);
  }
  if (wait !== 0) throw rateLimited(Math.max(wait, 1));
}

/** An attempt is reserved within this time of its `now`, in a window that has begun by then. */
const reservedWithin = minute;

/**
 * Locks rows in key order, as `reserve_attempt` does, so that two statements cannot deadlock. A window that has begun since
 * the attempt does not count it.
 */
async function endAttempt(
  db: Db,
  rules: readonly ThrottleRule[],
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const returned = rules.map(({ counts = 'failures' }) => {
    const isCounted = counts === 'failures' ? outcome === 'failure' : outcome === 'success';
    return isCounted ? 0 : 1;
  });
  const latestEnds = rules.map(({ seconds }) => new Date(now.getTime() + (seconds + reservedWithin) * 1000));
  await sql`
    UPDATE throttle_counters AS c
    SET in_flight = greatest(c.in_flight - 1, 0), attempts = greatest(c.attempts - reserved.returned, 0)
    FROM (SELECT c.key, rule.returned
          FROM unnest(${keysOf(rules)}::bytea[], ${returned}::integer[], ${latestEnds}::timestamptz[])
            AS rule(key, returned, latest_end)
          JOIN throttle_counters c ON c.key = rule.key AND c.window_ends_at <= rule.latest_end
          ORDER BY c.key FOR UPDATE OF c) AS reserved
    WHERE c.key = reserved.key`.execute(db);
  // Otherwise a flood that the limit of distinct members refuses would leave empty counters for each attempt.
  if (outcome === 'unjudged') await deleteCounters(db, rules, sql<boolean>`attempts = 0 AND in_flight = 0`);
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
