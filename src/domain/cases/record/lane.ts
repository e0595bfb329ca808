import type { Language } from '../../../contract/language.ts';
import type { CaseRecord } from './case.queries.ts';
import type { QueueRules } from './queue-rules.ts';

/** The pool of cases whose patient belongs to no other. */
export const generalPool = 'general';

/** The lane language of cases that are offered whatever their language. */
export const anyLanguage = 'any';

/** Where a case waits; a queued case is in exactly one lane. */
export interface Lane {
  pool: string;
  language: Language;
}

/**
 * The lane of a case that enters the queue, in the language of the case: its own pool if it was queued before or staff have
 * chosen one, else its patient's. Until then `pool` has the default of the column, the general pool.
 */
export function laneOf(
  patient: { pool: string | null },
  { pool, language, queued_at: queuedAt }: Pick<CaseRecord, 'pool' | 'language' | 'queued_at'>,
): Lane {
  const hasOwn = queuedAt !== null || pool !== generalPool;
  return { pool: hasOwn ? pool : (patient.pool ?? generalPool), language };
}

/** The columns that name the lane of a case. */
export type LaneColumns = Pick<CaseRecord, 'lane_pool' | 'lane_language' | 'lane_until'>;

/** Of a case that waits for no one physician. */
export const homeLane = ({ pool, language }: Pick<CaseRecord, 'pool' | 'language'>): LaneColumns => ({
  lane_pool: pool,
  lane_language: language,
  lane_until: null,
});

const reservation = 'physician:';

/** The pool of the cases that are reserved for a physician. */
export const reservedPool = (physicianId: number): string => `${reservation}${physicianId}`;

const isReserved = (pool: string | null): boolean => pool?.startsWith(reservation) === true;

/**
 * Where a case waits whose pool, language or rank staff have changed: from what was given to it on. A reservation stays, unless
 * the case has become more urgent. Nothing for a case that does not wait.
 */
export function laneAfterChange(
  record: Pick<CaseRecord, 'status' | 'pool' | 'language' | 'lane_pool' | 'lane_language' | 'triage_rank'>,
  {
    pool,
    language,
    rank,
  }: { pool?: string | undefined; language?: Language | undefined; rank: number | null },
): Partial<LaneColumns> {
  if (record.status !== 'queued') return {};
  if (!isReserved(record.lane_pool)) {
    return { lane_pool: pool ?? record.lane_pool, lane_language: language ?? record.lane_language };
  }
  const isMoreUrgent = rank !== null && record.triage_rank !== null && rank < record.triage_rank;
  return isMoreUrgent ? homeLane({ pool: pool ?? record.pool, language: language ?? record.language }) : {};
}

/** Of a case that is reserved for a physician, whatever languages that one reviews. */
export const reservedLane = (physicianId: number, until: Date): LaneColumns => ({
  lane_pool: reservedPool(physicianId),
  lane_language: anyLanguage,
  lane_until: until,
});

/**
 * How long a case waits for one physician: the hours of the parameter; one that is due within a day or sooner no longer than for a
 * private pool, because a physician who is off duty need not be away.
 */
export function reservedUntil(
  { reserve_hours: hours, pool_open_minutes: [emergencyMinutes, urgentMinutes] }: QueueRules,
  rank: number | null,
  now: Date,
): Date {
  const longest = rank === 0 ? emergencyMinutes : rank === 1 ? urgentMinutes : Infinity;
  const minutes = Math.min(longest, hours * 60);
  return new Date(now.getTime() + minutes * 60 * 1000);
}

/** Of a case that waits in no lane. */
export const noLane: LaneColumns = { lane_pool: null, lane_language: null, lane_until: null };

/** `physicians.id` of the physician for whom a case is reserved. */
export function physicianOf({ lane_pool: pool }: Pick<LaneColumns, 'lane_pool'>): number | undefined {
  const digits = /^physician:(\d+)$/.exec(pool ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
