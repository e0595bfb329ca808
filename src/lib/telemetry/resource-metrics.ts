import { type MeterProvider, metrics } from '@opentelemetry/api';

const meterName = 'dermagate.resources';

/** The counters of `pg.Pool`. */
export interface PoolUsage {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

export interface Watched {
  pool: PoolUsage;
  passwords: { load(): { running: number; waiting: number } };
  streams: { heldCount(): number };
}

/** Observes the connection pool, the password threads and the held requests whenever metrics are collected. */
export function watchResources(meters: MeterProvider, { pool, passwords, streams }: Watched): void {
  const meter = meters.getMeter(meterName);
  const gauge = (name: string, description: string) => meter.createObservableGauge(name, { description });
  gauge(
    'dermagate.db.connections',
    'PostgreSQL connections of this instance, busy and idle, and requests that wait for one',
  ).addCallback((result) => {
    result.observe(pool.totalCount - pool.idleCount, { state: 'busy' });
    result.observe(pool.idleCount, { state: 'idle' });
    result.observe(pool.waitingCount, { state: 'waiting' });
  });
  gauge('dermagate.passwords.jobs', 'Password hashes, running and waiting').addCallback((result) => {
    const { running, waiting } = passwords.load();
    result.observe(running, { state: 'running' });
    result.observe(waiting, { state: 'waiting' });
  });
  gauge('dermagate.streams.held', 'Requests of event streams that this instance holds').addCallback(
    (result) => result.observe(streams.heldCount()),
  );
}

export type OutboxMetrics = ReturnType<typeof createOutboxMetrics>;

/** @param meters by default OpenTelemetry's, which record nothing. */
export function createOutboxMetrics(meters: MeterProvider = metrics.getMeterProvider()) {
  const meter = meters.getMeter(meterName);
  const backlog = meter.createGauge('dermagate.outbox.backlog', {
    description: 'Messages due at the last run of the outbox; 1000 means that many or more',
  });
  const deliveries = meter.createCounter('dermagate.outbox.deliveries', {
    description: 'Outbox messages by outcome',
  });
  return {
    backlog: (consumer: string, due: number): void => backlog.record(due, { consumer }),
    delivered: (consumer: string, outcome: string): void => deliveries.add(1, { consumer, outcome }),
  };
}
