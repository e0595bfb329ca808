import { z } from 'zod';
import { isDatabaseReachable } from '../../lib/db/reachable.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

/** Milliseconds the database has to answer, however it fails: the reply must be out within two seconds. */
const databaseTimeoutMs = 1500;

const Health = z
  .strictObject({
    status: z
      .enum(['healthy', 'unhealthy'])
      .meta({ id: 'HealthStatus', description: '`unhealthy` when the database does not answer.' }),
    database: z
      .enum(['connected', 'disconnected'])
      .meta({ id: 'DatabaseStatus', description: 'Whether the database answers.' }),
  })
  .meta({ id: 'Health', description: 'Health of the service and its database.' });

export const getHealth = endpoint({
  name: 'getHealth',
  method: 'GET',
  route: 'health',
  tag: 'Health',
  summary: 'Check that the service and its database answer',
  description:
    'For monitors and load balancers. The database has 1.5 seconds to answer, so that the reply is out within two.',
  auth: 'public',
  audit: 'none',
  reply: {
    status: 200,
    description: 'Service and database answer.',
    body: Health,
    alternative: {
      status: 503,
      description: 'The database does not answer; the body has the same shape.',
      when: (health) => health.status === 'unhealthy',
    },
  },
  problems: [],
  async handler({ context: { db, config, log } }): Promise<z.infer<typeof Health>> {
    const limits = { timeoutMs: databaseTimeoutMs, poolMax: config.PG_POOL_MAX };
    return (await isDatabaseReachable(db, limits, log))
      ? { status: 'healthy', database: 'connected' }
      : { status: 'unhealthy', database: 'disconnected' };
  },
});
