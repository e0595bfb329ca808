import { randomBytes, randomUUID } from 'node:crypto';
import { TraceFlags } from '@opentelemetry/api';
import { formatTraceparent, parseTraceparent } from '../telemetry/traceparent.ts';

/** The caller's `x-request-id` if it is 1–64 of `[A-Za-z0-9._-]`, else a new UUID. */
export function requestId(header: string | null): string {
  return header !== null && /^[A-Za-z0-9._-]{1,64}$/.test(header) ? header : randomUUID();
}

/**
 * The parent span of all work for a request, as `traceparent`: the host's span, which Application Insights shows as the
 * request and which belongs to the caller's trace. Without one: a new span in the caller's trace, or in a new trace.
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
