import { metrics } from '@opentelemetry/api';

const meter = metrics.getMeter('dermagate.resources');

const connections = meter.createObservableGauge('dermagate.db.connections', {
  description: 'PostgreSQL connections of this instance, busy and idle, and requests that wait for one',
});
const passwordJobs = meter.createObservableGauge('dermagate.passwords.jobs', {
  description: 'Password hashes, running and waiting',
});
const heldStreams = meter.createObservableGauge('dermagate.streams.held', {
  description: 'Requests of event streams that this instance holds',
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

export interface Watched {
  pool: PoolUsage;
  passwords: { load(): { running: number; waiting: number } };
  streams: { heldCount(): number };
}

/** Observes the connection pool, the password threads and the held requests whenever metrics are collected. */
export function watchResources({ pool, passwords, streams }: Watched): void {
  connections.addCallback((result) => {
    result.observe(pool.totalCount - pool.idleCount, { state: 'busy' });
    result.observe(pool.idleCount, { state: 'idle' });
    result.observe(pool.waitingCount, { state: 'waiting' });
  });
  passwordJobs.addCallback((result) => {
    const { running, waiting } = passwords.load();
    result.observe(running, { state: 'running' });
    result.observe(waiting, { state: 'waiting' });
  });
  heldStreams.addCallback((result) => result.observe(streams.heldCount()));
}

export const outboxMetrics = {
  backlog: (consumer: string, due: number): void => backlog.record(due, { consumer }),
  delivered: (consumer: string, outcome: string): void => deliveries.add(1, { consumer, outcome }),
};
