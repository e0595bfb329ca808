import { metrics } from '@opentelemetry/api';

const meter = metrics.getMeter('dermagate.resources');

const connections = meter.createObservableGauge('dermagate.db.connections', {
  description: 'PostgreSQL connections of this instance, busy and idle, and requests that wait for one',
});
const passwords = meter.createObservableGauge('dermagate.passwords.jobs', {
  description: 'Password hashes, running and waiting',
});
const backlog = meter.createGauge('dermagate.outbox.backlog', {
  description: 'Messages due at the last run of the outbox; 1000 means that many or more',
});
const deliveries = meter.createCounter('dermagate.outbox.deliveries', {
  description: 'Outbox messages by outcome',
});

/** The counters of `pg.Pool`. */
export interface PoolUsage {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

/** Observes the connection pool and the password threads whenever metrics are collected. */
export function watchResources(
  pool: PoolUsage,
  jobs: { load(): { running: number; waiting: number } },
): void {
  connections.addCallback((result) => {
    result.observe(pool.totalCount - pool.idleCount, { state: 'busy' });
    result.observe(pool.idleCount, { state: 'idle' });
    result.observe(pool.waitingCount, { state: 'waiting' });
  });
  passwords.addCallback((result) => {
    const { running, waiting } = jobs.load();
    result.observe(running, { state: 'running' });
    result.observe(waiting, { state: 'waiting' });
  });
}

export const outboxMetrics = {
  backlog: (consumer: string, due: number): void => backlog.record(due, { consumer }),
  delivered: (consumer: string, outcome: string): void => deliveries.add(1, { consumer, outcome }),
};
