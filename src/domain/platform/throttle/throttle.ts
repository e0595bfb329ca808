import { randomUUID } from 'node:crypto';
import type { Context } from '../../../lib/app/context.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { inDoubt } from '../../../lib/concurrency/in-doubt.ts';
import { Problem, type ProblemCode } from '../../../contract/problem.ts';
import type { DistinctRule, ThrottleRule } from './throttle-rule.ts';
import {
  deleteEmptyCounters,
  endReserved,
  releaseDistinct,
  reserveAttempt,
  reserveDistinct,
} from './throttle.queries.ts';

/** Every free slot belongs to an attempt that is still in flight. */
const slotsInFlight = -1;
/** Pauses between tries for a slot, in milliseconds: ten passwords are hashed in a second or two. */
const retryDelaysMs = [50, 100, 200, 400, 800, 1600] as const;

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
  rule: DistinctRule,
  { now, failures }: Pick<Attempt, 'now' | 'failures'>,
  work: () => Promise<T>,
): Promise<T> {
  const { wait, isNew } = await reserveDistinct(db, rule, now);
  if (wait > 0) throw rateLimited(wait);
  const release = async () => {
    if (isNew) await record(db, () => releaseDistinct(db, rule));
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

async function endAttempt(
  db: Db,
  rules: readonly ThrottleRule[],
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const ended = rules.map(({ key, seconds, counts = 'failures' }) => {
    const isCounted = counts === 'failures' ? outcome === 'failure' : outcome === 'success';
    const latestEnd = new Date(now.getTime() + (seconds + reservedWithin) * 1000);
    return { key, returned: isCounted ? 0 : 1, latestEnd };
  });
  await endReserved(db, ended);
  // Otherwise a flood that the limit of distinct members refuses would leave empty counters for each attempt.
  if (outcome === 'unjudged') await deleteEmptyCounters(db, rules);
}
