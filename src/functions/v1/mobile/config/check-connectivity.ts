import { z } from 'zod';
import { checkConnectivity } from '../../../../domain/platform/connectivity/check-connectivity.ts';
import { Connectivity } from '../../../../domain/platform/connectivity/connectivity.schemas.ts';
import { AppVersion, Platform } from '../../../../domain/platform/parameters/app-version.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

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
