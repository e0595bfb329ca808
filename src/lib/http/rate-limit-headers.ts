import { Problem } from '../../contract/problem.ts';

/** One quota of a caller and its state. */
export interface QuotaState {
  policy: string;
  limit: number;
  /** Length of the window. */
  seconds: number;
  /** Requests unless given. */
  unit?: 'content-bytes' | undefined;
  remaining: number;
  /** Seconds until the whole quota is available again. */
  resetsIn: number;
  /** Whether it refuses the request. */
  isShort: boolean;
}

/**
 * The headers `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-11: two structured-field lists
 * (RFC 9651) whose items are the names of the policies.
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

/** @throws {Problem} `rate_limited` if a quota is used up; `Retry-After` is when the last such quota is renewed. */
export function requireQuota(quotas: readonly QuotaState[]): void {
  const short = quotas.filter(({ isShort }) => isShort);
  if (short.length === 0) return;
  const wait = Math.max(...short.map(({ resetsIn }) => resetsIn));
  throw new Problem('rate_limited', {
    detail: `Try again in ${wait} seconds; used up: ${short.map(({ policy }) => policy).join(', ')}.`,
    headers: { 'retry-after': String(wait) },
  });
}
