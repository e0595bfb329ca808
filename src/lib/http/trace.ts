import { randomBytes, randomUUID } from 'node:crypto';

/** `x-request-id` as the caller sent it when it is 1–64 of `[A-Za-z0-9._-]`, else a new one. */
export function requestId(header: string | null): string {
  return header !== null && /^[A-Za-z0-9._-]{1,64}$/.test(header) ? header : randomUUID();
}

/**
 * A W3C Trace Context `traceparent` for what we call: the caller's trace with a span of ours, or a new trace.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function childTraceparent(header: string | null): string {
  const parent = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header ?? '');
  const traceId = parent?.[1];
  const valid = traceId !== undefined && !/^0+$/.test(traceId) && !/^0+$/.test(parent?.[2] ?? '0');
  const trace = valid ? traceId : randomBytes(16).toString('hex');
  return `00-${trace}-${randomBytes(8).toString('hex')}-${valid ? (parent?.[3] ?? '01') : '01'}`;
}
