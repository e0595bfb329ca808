import { Problem } from '../../contract/problem.ts';

/** One quota of a caller and what is left of it. */
export interface QuotaState {
  policy: string;
  limit: number;
  /** Of the window. */
  seconds: number;
  /** What it counts, where that is not requests. */
  unit?: 'content-bytes' | undefined;
  remaining: number;
  /** Seconds until the whole quota is there again. */
  resetsIn: number;
  /** Whether it refuses the request. */
  isShort: boolean;
}

/**
 * What a caller may do and how much of it is left, as draft-ietf-httpapi-ratelimit-headers-11 has it: two lists of
 * structured fields (RFC 9651) whose items are strings, the names of the policies.
 */
export function rateLimitHeaders(quotas: readonly QuotaState[]): Record<string, string> {
  if (quotas.length === 0) return {};
  const policies = quotas.map(({ policy, limit, seconds, unit }) => {
    const quotaUnit = unit === undefined ? '' : `;qu="${unit}"`;
    return `"${policy}";q=${limit}${quotaUnit};w=${seconds}`;
  });
  const limits = quotas.map(({ policy, remaining, resetsIn }) => `"${policy}";r=${remaining};t=${resetsIn}`);
  return { 'ratelimit-policy': policies.join(', '), ratelimit: limits.join(', ') };
}

/** @throws {Problem} `rate_limited` where a quota is used up, with the time at which the last of them is renewed. */
export function requireQuota(quotas: readonly QuotaState[]): void {
  const short = quotas.filter(({ isShort }) => isShort);
  if (short.length === 0) return;
  const wait = Math.max(...short.map(({ resetsIn }) => resetsIn));
  throw new Problem('rate_limited', {
    detail: `Try again in ${wait} seconds; used up: ${short.map(({ policy }) => policy).join(', ')}.`,
    headers: { 'retry-after': String(wait) },
  });
}
