import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { formatTraceparent, parseTraceparent } from '../telemetry/traceparent.ts';
import type { AiFailure } from './ai-failure.ts';

/**
 * Starts the span of one attempt, as a child of the request's span. Attributes follow the OpenTelemetry conventions for
 * HTTP clients; none of them identifies a user or a case.
 */
export function startAiSpan(tracer: Tracer, route: string, url: URL, traceparent: string): Span {
  const parent = parseTraceparent(traceparent);
  const options = {
    kind: SpanKind.CLIENT,
    attributes: { 'server.address': url.host, 'url.full': url.href, 'http.request.method': 'POST' },
  };
  const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
  return tracer.startSpan(`AI ${route}`, options, context);
}

/** The `traceparent` that makes the AI service's spans children of this one. */
export const traceparentOf = (span: Span): string => formatTraceparent(span.spanContext());

/** Ends the span. A cancelled call is not an error: it proves nothing about the AI service. */
export function endAiSpan(span: Span, failure: AiFailure | undefined): void {
  if (failure !== undefined) {
    span.setAttribute('error.type', failure.cancelled ? 'cancelled' : failure.kind);
    if (!failure.cancelled) span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
