import type { HttpRequest } from '@azure/functions';
import type { Config } from '../configuration/config.ts';
import type { Log } from '../telemetry/log.ts';

/** All CORS headers come from this file: `siteConfig.cors` stays empty, or Azure would add headers of its own. */

const allowedHeaders = [
  'authorization',
  'content-type',
  'accept-language',
  'x-tenant',
  'x-request-id',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'if-range',
  'last-event-id',
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
  'content-range',
  'accept-ranges',
].join(', ');

type CorsConfig = Pick<Config, 'CORS_ORIGINS' | 'production'>;

const loopbackOrigin = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** In development a front end on this machine may call from any port; production knows only its list. */
function isAllowed(origin: string, { CORS_ORIGINS, production }: CorsConfig): boolean {
  return CORS_ORIGINS.includes(origin) || (!production && loopbackOrigin.test(origin));
}

/**
 * Headers for any reply: `Vary` always, those of CORS only for an allowed origin.
 *
 * A refused origin is logged, because its developer sees nothing but an opaque error in the browser.
 */
export function corsHeaders(
  request: Pick<HttpRequest, 'headers' | 'url'>,
  config: CorsConfig,
  log: Pick<Log, 'warn'>,
): Record<string, string> {
  const origin = request.headers.get('origin');
  if (origin === null) return { vary: 'Origin' };
  if (!isAllowed(origin, config)) {
    if (!isOwn(origin, request.url)) log.warn('origin_refused', { origin: printable(origin) });
    return { vary: 'Origin' };
  }
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': exposedHeaders,
  };
}

/** Headers that a preflight for a known path gets besides. */
export function preflightHeaders(
  origin: string | null,
  config: CorsConfig,
  methods: readonly string[],
): Record<string, string> {
  if (origin === null || !isAllowed(origin, config)) return {};
  return {
    'access-control-allow-methods': methods.filter((method) => method !== 'OPTIONS').join(', '),
    'access-control-allow-headers': allowedHeaders,
    'access-control-max-age': '7200',
    vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  };
}

/** Browsers send `Origin` with a POST of our own documentation page too; it needs no permission. */
function isOwn(origin: string, url: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === new URL(url).host;
}

/** A client can send any text: only an origin goes to the log. Browsers send `null` for a page opened from a file. */
function printable(origin: string): string {
  return origin.length <= 200 && /^(?:null|[a-z][a-z\d+.-]*:\/\/[\w.:[\]-]+)$/i.test(origin)
    ? origin
    : 'malformed';
}
