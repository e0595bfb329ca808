import { z } from 'zod';
import { Timestamp } from '../../../../contract/timestamp.ts';
import { checkConnectivity } from '../../../../domain/catalogue/connectivity/check-connectivity.ts';
import { AppVersion, Platform } from '../../../../domain/catalogue/parameters/app-version.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

const State = z
  .enum(['ok', 'degraded', 'down'])
  .meta({ id: 'ServiceState', description: 'How a service is.' });
const Connectivity = z
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
    services: z
      .object({ database: State, storage: State, ai: State })
      .meta({ description: 'At most ten seconds old.' }),
  })
  .meta({ id: 'Connectivity', description: 'What an app has to know when it starts.' });

export const v1MobileCheckConnectivity = endpoint({
  name: 'v1MobileCheckConnectivity',
  method: 'POST',
  route: 'api/v1/mobile/config/check-connectivity',
  tag: 'Configuration',
  summary: 'Check versions, clock, maintenance and services when an app starts',
  description: 'Also replies when the database is unavailable: `services.database` is then `down`.',
  auth: 'public',
  audit: 'none',
  perNetwork: 300,
  reads: ['lang', 'tenant'],
  sends: ['Content-Language'],
  body: z
    .strictObject({
      client_time: z.iso.datetime({ offset: true }).meta({ description: 'The client’s clock.' }),
      app_version: AppVersion.meta({ description: 'Such as `2.14.0`.' }),
      platform: Platform,
      build: z.string().max(32).optional().meta({ description: 'Of the app.' }),
    })
    .meta({ id: 'ConnectivityRequest', description: 'The app that starts.' }),
  reply: { status: 200, description: 'What the app has to know.', body: Connectivity },
  problems: [],
  async handler({ context, body }) {
    return await checkConnectivity(context, body);
  },
});
