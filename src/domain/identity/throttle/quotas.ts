import { sql } from 'kysely';
import type { Db } from '../../../lib/db/connect.ts';
import type { ThrottleRule } from './throttle.ts';

/** Makes the key of a counter from its name and parts. */
type Key = (...parts: readonly (string | undefined)[]) => Buffer;

/** What a signed-in user has a quota of; each group of endpoints shares one. */
export type QuotaGroup = 'questions' | 'ai' | 'uploads' | 'downloads';

export interface QuotaLimits {
  LIMIT_QUESTIONS_PER_MINUTE: number;
  LIMIT_QUESTIONS_PER_HOUR: number;
  LIMIT_AI_CALLS_PER_MINUTE: number;
  LIMIT_AI_CALLS_PER_HOUR: number;
  LIMIT_UPLOADS_PER_HOUR: number;
  LIMIT_UPLOADED_MB_PER_DAY: number;
  LIMIT_DOWNLOADS_PER_HOUR: number;
}

interface Quota extends ThrottleRule {
  /** As clients read it in the RateLimit headers. */
  policy: string;
  /** What this request takes. */
  cost: number;
  unit?: 'content-bytes';
  /** What one count stands for; 1 where absent. */
  scale?: number;
}

export interface QuotaState {
  policy: string;
  limit: number;
  seconds: number;
  unit?: 'content-bytes' | undefined;
  remaining: number;
  /** Seconds until the whole quota is there again. */
  resetsIn: number;
  /** Whether this one refuses the request; nothing has been taken from any then. */
  isShort: boolean;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/** Bytes are counted by the thousand, rounded up: a counter is an integer of 32 bits. */
const kilobyte = 1000;

function quotasOf(limits: QuotaLimits, group: QuotaGroup, bytes: number): Omit<Quota, 'key'>[] {
  switch (group) {
    case 'questions':
      return [
        { policy: 'questions-minute', limit: limits.LIMIT_QUESTIONS_PER_MINUTE, seconds: minute, cost: 1 },
        { policy: 'questions-hour', limit: limits.LIMIT_QUESTIONS_PER_HOUR, seconds: hour, cost: 1 },
      ];
    case 'ai':
      return [
        { policy: 'ai-minute', limit: limits.LIMIT_AI_CALLS_PER_MINUTE, seconds: minute, cost: 1 },
        { policy: 'ai-hour', limit: limits.LIMIT_AI_CALLS_PER_HOUR, seconds: hour, cost: 1 },
      ];
    case 'uploads':
      return [
        { policy: 'uploads-hour', limit: limits.LIMIT_UPLOADS_PER_HOUR, seconds: hour, cost: 1 },
        {
          policy: 'upload-bytes-day',
          limit: limits.LIMIT_UPLOADED_MB_PER_DAY * 1000,
          seconds: day,
          cost: Math.ceil(bytes / kilobyte),
          unit: 'content-bytes',
          scale: kilobyte,
        },
      ];
    case 'downloads':
      return [{ policy: 'downloads-hour', limit: limits.LIMIT_DOWNLOADS_PER_HOUR, seconds: hour, cost: 1 }];
  }
}

/**
 * Takes a request from the quotas of its user, or, when one is used up, from none. Shared by all instances.
 *
 * @param bytes of the request's body.
 * @returns what is left of each.
 */
export async function takeQuota(
  db: Db,
  limits: QuotaLimits,
  key: Key,
  { group, userUuid, bytes, now }: { group: QuotaGroup; userUuid: string; bytes: number; now: Date },
): Promise<QuotaState[]> {
  const quotas = quotasOf(limits, group, bytes).map((quota) => ({
    ...quota,
    key: key('quota', quota.policy, userUuid),
  }));
  const column = (name: 'limit' | 'seconds' | 'cost') => quotas.map((quota) => quota[name]);
  const { rows } = await sql<{ key: Buffer; remaining: number; resets_in: number; is_short: boolean }>`
    SELECT * FROM take_quota(${quotas.map((quota) => quota.key)}::bytea[], ${column('limit')}::integer[],
      ${column('seconds')}::integer[], ${column('cost')}::integer[], ${now})`.execute(db);
  return quotas.map(({ policy, limit, seconds, unit, scale = 1, key: own }) => {
    const row = rows.find((each) => each.key.equals(own));
    if (row === undefined) throw new Error(`no state of the quota ${policy}`);
    const { remaining, resets_in: resetsIn, is_short: isShort } = row;
    return { policy, limit: limit * scale, seconds, unit, remaining: remaining * scale, resetsIn, isShort };
  });
}
