import { ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { collectSpans } from '../../../src/lib/telemetry/span-collector.ts';

test('a span is of the trace of its parent, and begins one without a parent', () => {
  const spans = collectSpans();
  const tracer = spans.getTracer('test');
  const parent = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), traceFlags: 0 };
  tracer.startSpan('child', {}, trace.setSpanContext(ROOT_CONTEXT, parent)).end();
  tracer.startSpan('first').end();
  const [child, first] = spans.take();
  expect(child?.spanContext()).toMatchObject({ traceId: parent.traceId, traceFlags: 1 });
  expect(child?.parentSpanContext?.spanId).toBe(parent.spanId);
  expect(child?.spanContext().spanId).not.toBe(parent.spanId);
  expect(first?.parentSpanContext).toBeUndefined();
  expect(first?.spanContext()).toMatchObject({
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    traceFlags: 1,
  });
  expect(first?.spanContext().traceId).not.toBe(parent.traceId);
});

test('when the buffer is full, successes are dropped and failures stay', () => {
  const spans = collectSpans(3);
  const tracer = spans.getTracer('test');
  const end = (name: string, failed: boolean) => {
    const span = tracer.startSpan(name);
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  ['a', 'b', 'c', 'd'].forEach((name) => end(name, false));
  ['E', 'F', 'G', 'H'].forEach((name) => end(name, true));
  end('i', false);
  expect(spans.take().map(({ name }) => name)).toEqual(['E', 'F', 'G']);
  expect(spans.take()).toEqual([]);
});
