import type { MeterProvider } from '@opentelemetry/api';

export type RequestMetrics = ReturnType<typeof createRequestMetrics>;

/** Each attribute has a handful of values: function names, status classes, problem codes; never a user or a path. */
export function createRequestMetrics(meters: MeterProvider) {
  const meter = meters.getMeter('dermagate.http');
  const duration = meter.createHistogram('dermagate.http.request.duration', {
    unit: 'ms',
    description: 'Duration of a request, from its arrival at the function to its reply',
  });
  const throttled = meter.createCounter('dermagate.throttle.refusals', {
    description: 'Rate-limited requests',
  });
  const reused = meter.createCounter('dermagate.sessions.refresh_reuse', {
    description: 'Refresh tokens that were used again after their exchange, as a stolen copy would be',
  });
  return {
    answered(name: string, status: number, code: string | undefined, milliseconds: number): void {
      const statusClass = `${Math.floor(status / 100)}xx`;
      duration.record(milliseconds, { function: name, status_class: statusClass, code: code ?? 'none' });
      if (code === 'rate_limited') throttled.add(1, { function: name });
    },
    refreshTokenReused: (): void => reused.add(1),
  };
}
