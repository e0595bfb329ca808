import { metrics } from '@opentelemetry/api';

/* Attributes have a handful of values each: functions, classes of status, codes of problems; never a user or path. */
const meter = metrics.getMeter('dermagate.http');

const duration = meter.createHistogram('dermagate.http.request.duration', {
  unit: 'ms',
  description: 'A request from its arrival at the function to its answer',
});
const throttled = meter.createCounter('dermagate.throttle.refusals', {
  description: 'Requests that were one too many',
});
const reused = meter.createCounter('dermagate.sessions.refresh_reuse', {
  description: 'Refresh tokens that were used again after their exchange: somebody has a copy',
});

export const requestMetrics = {
  answered(name: string, status: number, code: string | undefined, milliseconds: number): void {
    const statusClass = `${Math.floor(status / 100)}xx`;
    duration.record(milliseconds, { function: name, status_class: statusClass, code: code ?? 'none' });
    if (code === 'rate_limited') throttled.add(1, { function: name });
  },
  refreshTokenReused: (): void => reused.add(1),
};
