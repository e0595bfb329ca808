import { randomBytes } from 'node:crypto';
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api';

// Like meter-provider.ts, this implements the OpenTelemetry API in place of the SDK, which every cold start would load.

export interface FinishedSpan extends SpanContext {
  parentSpanId: string | undefined;
  name: string;
  startedAt: Date;
  milliseconds: number;
  failed: boolean;
  attributes: Attributes;
}

export interface SpanCollector extends TracerProvider {
  /** Removes and returns the finished spans. */
  take(): FinishedSpan[];
  /** Returns spans that were taken but could not be sent. */
  putBack(spans: readonly FinishedSpan[]): void;
}

/** @param limit maximum number of buffered spans; beyond it, successes are dropped and failures replace them. */
export function collectSpans(limit = 5000): SpanCollector {
  let finished: FinishedSpan[] = [];

  function keep(span: FinishedSpan): void {
    if (finished.length < limit) finished.push(span);
    else if (span.failed) {
      const success = finished.findIndex(({ failed }) => !failed);
      if (success !== -1) finished[success] = span;
    }
  }

  const tracer: Tracer = {
    startSpan: (name, options, context = ROOT_CONTEXT) =>
      start(name, options, trace.getSpanContext(context), keep),
    startActiveSpan() {
      throw new Error('active spans are not supported: hand the parent to startSpan');
    },
  };
  return {
    getTracer: () => tracer,
    take() {
      const taken = finished;
      finished = [];
      return taken;
    },
    putBack: (spans) => spans.forEach(keep),
  };
}

function start(
  name: string,
  options: SpanOptions = {},
  parent: SpanContext | undefined,
  keep: (span: FinishedSpan) => void,
): Span {
  const own: SpanContext = {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    // We sample every span, whatever the host does with its own; a service that follows our flag samples its part too.
    traceFlags: TraceFlags.SAMPLED,
  };
  const attributes: Attributes = { ...options.attributes };
  const startedAt = new Date();
  const started = performance.now();
  let failed = false;
  const span: Span = {
    spanContext: () => own,
    setAttribute: (key, value) => span.setAttributes({ [key]: value }),
    setAttributes(more) {
      Object.assign(attributes, more);
      return span;
    },
    setStatus({ code }) {
      failed = code === SpanStatusCode.ERROR;
      return span;
    },
    updateName(text) {
      name = text;
      return span;
    },
    addEvent: () => span,
    addLink: () => span,
    addLinks: () => span,
    recordException: () => undefined,
    isRecording: () => true,
    end() {
      const milliseconds = performance.now() - started;
      keep({ ...own, parentSpanId: parent?.spanId, name, startedAt, milliseconds, failed, attributes });
    },
  };
  return span;
}
