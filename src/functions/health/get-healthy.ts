import { z } from 'zod';
import { endpoint } from '../../lib/http/endpoint.ts';

export const getHealthy = endpoint({
  name: 'getHealthy',
  method: 'GET',
  route: 'healthy',
  tag: 'Health',
  summary: 'Check that the process answers',
  description: 'For liveness probes: checks the process only.',
  auth: 'public',
  audit: 'none',
  reply: {
    status: 200,
    description: 'The process answers.',
    body: z
      .strictObject({ status: z.literal('healthy').meta({ description: 'Always `healthy`.' }) })
      .meta({ id: 'Liveness', description: 'Liveness of the process.' }),
  },
  problems: [],
  async handler() {
    return { status: 'healthy' };
  },
});
