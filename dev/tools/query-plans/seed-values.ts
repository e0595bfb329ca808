export const FULL = {
  tenants: 100,
  users: 1_000_000,
  sessions: 1_000_000,
  refreshTokens: 10_000_000,
  images: 1_000_000,
  results: 500_000,
  events: 2_000_000,
  /** Reset tokens, invitations, throttle counters, idempotency keys and messages: so many of each. */
  others: 200_000,
};

export type Sizes = typeof FULL;

/** A statement that fills a table. */
export type Filling = [table: string, sql: string];

/** As version 7: rows that come later sort later. */
export function uuid(kind: string, number: string): string {
  return `('01900000-000${kind}-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}

/** Users in ten: enough that plans are judged by a tenant with a million cases as well as by one with a thousand. */
export function tenantOf({ tenants }: Sizes, number: string): string {
  return `CASE WHEN ${number} % 10 = 7 THEN 1 + ${number} / 10 % ${tenants} ELSE 1 END`;
}
