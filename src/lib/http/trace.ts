import { randomBytes, randomUUID } from 'node:crypto';
import { TraceFlags } from '@opentelemetry/api';
import { formatTraceparent, parseTraceparent } from '../telemetry/traceparent.ts';

/** `x-request-id` as the caller sent it when it is 1–64 of `[A-Za-z0-9._-]`, else a new one. */
export function requestId(header: string | null): string {
  return header !== null && /^[A-Za-z0-9._-]{1,64}$/.test(header) ? header : randomUUID();
}

/**
 * The span that everything done for a request belongs to, as `traceparent`: the host's own, which Application
 * Insights shows as the request and which is in the caller's trace. Where the host names none: a span of ours in the
 * caller's trace, or in a new one.
 */
export function requestTraceparent(ofHost: string | undefined, ofCaller: string | null): string {
  if (ofHost !== undefined && parseTraceparent(ofHost) !== undefined) return ofHost;
  const caller = parseTraceparent(ofCaller ?? '');
  return formatTraceparent({
    traceId: caller?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    traceFlags: caller?.traceFlags ?? TraceFlags.SAMPLED,
  });
}
