import { metrics } from '@opentelemetry/api';

const meter = metrics.getMeter('dermagate.resources');

const connections = meter.createObservableGauge('dermagate.db.connections', {
  description:
    'PostgreSQL connections of this instance that are busy or idle, and requests that wait for one',
});
const passwords = meter.createObservableGauge('dermagate.passwords.jobs', {
  description: 'Passwords being hashed, and those that wait',
});
const backlog = meter.createGauge('dermagate.outbox.backlog', {
  description: 'Messages that were due when the outbox was last emptied; not counted beyond 1000',
});
const deliveries = meter.createCounter('dermagate.outbox.deliveries', {
  description: 'Messages by what became of them',
});

/** What `pg.Pool` tells of itself. */
export interface PoolUsage {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

/** Has the pool and the password threads looked at whenever metrics are read. */
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
