import { z } from 'zod';
import { endpoint } from '../../lib/http/endpoint.ts';

export const getHealthy = endpoint({
  name: 'getHealthy',
  method: 'GET',
  route: 'healthy',
  tag: 'Health',
  summary: 'Whether the process answers',
  description: 'For liveness probes: touches nothing but the process.',
  auth: 'public',
  audit: 'none',
  reply: {
    status: 200,
    description: 'It answers.',
    body: z
      .strictObject({ status: z.literal('healthy').meta({ description: 'Always `healthy`.' }) })
      .meta({ id: 'Liveness', description: 'That the process answers.' }),
  },
  problems: [],
  async handler() {
    return { status: 'healthy' };
  },
});
