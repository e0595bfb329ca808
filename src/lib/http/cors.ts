/** CORS has one owner, this file: `siteConfig.cors` stays empty, otherwise Azure would add headers of its own. */

const allowedHeaders = [
  'authorization',
  'content-type',
  'accept-language',
  'x-tenant',
  'x-request-id',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'range',
  'x-csrf-token',
].join(', ');

const exposedHeaders = [
  'etag',
  'location',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'www-authenticate',
  'x-request-id',
  'idempotency-replayed',
  'content-disposition',
].join(', ');

/** Headers for any reply: those of CORS only for an origin on the list, `Vary` always. */
export function corsHeaders(origin: string | null, allowed: readonly string[]): Record<string, string> {
  if (origin === null || !allowed.includes(origin)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': exposedHeaders,
  };
}

/** What a preflight for a known path adds. */
export function preflightHeaders(
  origin: string | null,
  allowed: readonly string[],
  methods: readonly string[],
): Record<string, string> {
  if (origin === null || !allowed.includes(origin)) return {};
  return {
    'access-control-allow-methods': methods.filter((method) => method !== 'OPTIONS').join(', '),
    'access-control-allow-headers': allowedHeaders,
    'access-control-max-age': '7200',
    vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  };
}
