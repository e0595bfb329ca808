import type { HttpRequest, InvocationContext } from '@azure/functions';
import type { AppContext } from '../app/context.ts';
import { clientAddress, ipPrefix } from './client-address.ts';
import type { HttpFacts } from './endpoint.ts';
import { lastEventId } from './event-stream.ts';
import { negotiateLanguage } from './negotiate-language.ts';
import { requestId, requestTraceparent } from './trace.ts';

/** The facts of a request from its headers and query, before any check. */
export function requestFacts(
  request: HttpRequest,
  { traceContext }: InvocationContext,
  { clock, config }: AppContext,
): HttpFacts {
  const { headers, query } = request;
  const address = clientAddress(headers.get('x-forwarded-for'), config.TRUSTED_PROXY_HOPS);
  return {
    id: requestId(headers.get('x-request-id')),
    receivedAt: clock.now(),
    language: negotiateLanguage(query.get('lang'), headers.get('accept-language')),
    tenantSlug: tenantSlug(query.get('tenant') ?? headers.get('x-tenant') ?? 'default'),
    ipPrefix: ipPrefix(address),
    userAgent: headers.get('user-agent')?.slice(0, 400),
    traceparent: requestTraceparent(traceContext?.traceParent, headers.get('traceparent')),
    ifNoneMatch: headers.get('if-none-match') ?? undefined,
    ifMatch: headers.get('if-match') ?? undefined,
    isWebSocket: /\bwebsocket\b/i.test(headers.get('upgrade') ?? '') || headers.has('sec-websocket-version'),
    lastEventId: lastEventId(headers.get('last-event-id')),
    ifRange: headers.get('if-range') ?? undefined,
    acceptEncoding: headers.get('accept-encoding') ?? undefined,
    // RFC 9110 §14.2: of GET alone.
    range: request.method === 'GET' ? (headers.get('range') ?? undefined) : undefined,
    idempotencyKey: headers.get('idempotency-key') ?? undefined,
  };
}

/** Text that cannot be a slug names no tenant; PostgreSQL would reject some of it, such as NUL. */
function tenantSlug(text: string): string {
  return /^[a-z0-9-]+$/.test(text) ? text : '';
}
