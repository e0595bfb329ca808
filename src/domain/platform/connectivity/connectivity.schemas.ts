import { z } from 'zod';
import { Timestamp } from '../../../contract/timestamp.ts';

const State = z
  .enum(['ok', 'degraded', 'down'])
  .meta({ id: 'ServiceState', description: 'How a service is.' });
export const Connectivity = z
  .object({
    server_time: Timestamp.meta({ description: 'The time of the reply.' }),
    clock_skew_ms: z
      .int()
      .meta({ description: 'By how much the client’s clock is ahead; negative: behind.' }),
    update: z
      .enum(['none', 'recommended', 'required'])
      .meta({ id: 'AppUpdate', description: 'Whether to update the app.' }),
    min_version: z.string().nullable().meta({ description: 'The oldest version that works.' }),
    maintenance: z
      .object({
        until: z.string().nullable().meta({ description: 'When it ends; null where that is not known.' }),
        text: z.string().meta({ description: 'For users, in the language of the request.' }),
      })
      .nullable()
      .meta({ description: 'Null when there is none.' }),
    emergency_number: z.string().meta({
      description: 'Telephone number of the emergency services: show it before the first question.',
    }),
    crisis_line: z
      .string()
      .nullable()
      .meta({ description: 'Telephone number of a crisis line; null where none is configured.' }),
    services: z
      .object({ database: State, storage: State, ai: State })
      .meta({ description: 'At most ten seconds old.' }),
  })
  .meta({ id: 'Connectivity', description: 'What an app has to know when it starts.' });
export type Connectivity = z.input<typeof Connectivity>;
