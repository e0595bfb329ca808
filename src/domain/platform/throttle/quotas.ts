import type { ThrottleRule } from './throttle-rule.ts';

/** Makes the key of a counter from its name and parts. */
type Key = (...parts: readonly (string | undefined)[]) => Buffer;

/** What a signed-in user has a quota of; each group of endpoints shares one. */
export type QuotaGroup = 'questions' | 'ai' | 'uploads' | 'downloads' | 'mails';

export interface QuotaLimits {
  LIMIT_QUESTIONS_PER_MINUTE: number;
  LIMIT_QUESTIONS_PER_HOUR: number;
  LIMIT_AI_CALLS_PER_MINUTE: number;
  LIMIT_AI_CALLS_PER_HOUR: number;
  LIMIT_UPLOADS_PER_HOUR: number;
  LIMIT_UPLOADED_MB_PER_DAY: number;
  LIMIT_DOWNLOADS_PER_HOUR: number;
  LIMIT_MAILS_PER_HOUR: number;
}

/** With the key of its counter. */
export interface Quota extends ThrottleRule {
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
    case 'mails':
      return [{ policy: 'mails-hour', limit: limits.LIMIT_MAILS_PER_HOUR, seconds: hour, cost: 1 }];
  }
}

/** The quotas that a request of a user is taken from. @param bytes of the request's body. */
export function quotasOfUser(
  limits: QuotaLimits,
  key: Key,
  { group, userUuid, bytes }: { group: QuotaGroup; userUuid: string; bytes: number },
): Quota[] {
  return quotasOf(limits, group, bytes).map((quota) => ({
    ...quota,
    key: key('quota', quota.policy, userUuid),
  }));
}

/** A counter as `take_quotas` returns it. */
export interface QuotaRow {
  remaining: number;
  resets_in: number;
  is_short: boolean;
}

/** What is left of a quota. */
export function quotaState(quota: Quota, row: QuotaRow): QuotaState {
  const { policy, limit, seconds, unit, scale = 1 } = quota;
  const { remaining, resets_in: resetsIn, is_short: isShort } = row;
  return { policy, limit: limit * scale, seconds, unit, remaining: remaining * scale, resetsIn, isShort };
}
