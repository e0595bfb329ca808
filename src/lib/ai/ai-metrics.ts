import { type MeterProvider, metrics } from '@opentelemetry/api';

export type AiOutcome =
  | 'ok'
  | 'unavailable'
  | 'timeout'
  | 'invalid_reply'
  | 'cancelled'
  | 'breaker_open'
  | 'busy';

export type AiMetrics = ReturnType<typeof createAiMetrics>;

/**
 * The instruments of a client. Attributes are the route and the outcome: a handful of values, never a user or a case.
 * @param meters by default OpenTelemetry's, which record nothing.
 */
export function createAiMetrics(meters: MeterProvider = metrics.getMeterProvider()) {
  const meter = meters.getMeter('dermagate.ai');
  const duration = meter.createHistogram('dermagate.ai.call.duration', {
    unit: 'ms',
    description: 'Duration of a call of the AI service, retries included',
  });
  const retries = meter.createCounter('dermagate.ai.call.retries', {
    description: 'Retried calls of the AI service',
  });
  const inFlight = meter.createUpDownCounter('dermagate.ai.calls.in_flight', {
    description: 'Calls of the AI service in flight',
  });
  const breakerOpen = meter.createUpDownCounter('dermagate.ai.breaker.open', {
    description: '1 while the circuit breaker of a route is open',
  });
  return {
    called(route: string, outcome: AiOutcome, milliseconds: number): void {
      duration.record(milliseconds, { route, outcome });
    },
    retried: (route: string): void => retries.add(1, { route }),
    started: (route: string): void => inFlight.add(1, { route }),
    ended: (route: string): void => inFlight.add(-1, { route }),
    breakerChanged: (route: string, open: boolean): void => breakerOpen.add(open ? 1 : -1, { route }),
  };
}
