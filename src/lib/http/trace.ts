import { randomBytes, randomUUID } from 'node:crypto';
import { parseTraceparent } from '../telemetry/traceparent.ts';

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
  const trace = caller?.traceId ?? randomBytes(16).toString('hex');
  const flags = caller === undefined ? '01' : caller.traceFlags.toString(16).padStart(2, '0');
  return `00-${trace}-${randomBytes(8).toString('hex')}-${flags}`;
}
