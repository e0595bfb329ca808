import { isSpanContextValid, type SpanContext } from '@opentelemetry/api';

/**
 * Parses a W3C `traceparent` of version 00.
 * @returns undefined when it is invalid.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function parseTraceparent(text: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text) ?? [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
  return isSpanContextValid(context) ? context : undefined;
}

export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
