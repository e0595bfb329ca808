import { v1MobileCheckConnectivity } from '../../../../../src/functions/v1/mobile/config/check-connectivity.ts';
import { scenario } from '../../../scenario.ts';

const app = { client_time: '2026-11-23T09:12:04+02:00', app_version: '2.14.0', platform: 'ios' };

const services = { database: 'ok', storage: 'ok', ai: 'ok' };
/** On a busy machine a service may answer late. */
const inOrder = (reply: object) => ({ ...reply, services });

export const checkConnectivityScenario = scenario({
  endpoint: v1MobileCheckConnectivity,
  as: 'anonymous',
  good: {
    start: { title: 'An app that starts', json: app, shown: inOrder },
    away: {
      title: 'While the database does not answer',
      json: app,
      on: 'withoutDatabase',
      shown: (reply: object) => ({ ...inOrder(reply), services: { ...services, database: 'down' } }),
    },
  },
  mistakes: {
    clock: {
      title: 'A clock without a time zone, and a version that is none',
      code: 'validation_error',
      pointers: ['/app_version', '/client_time'],
      json: { ...app, client_time: '2026-11-23T09:12:04', app_version: 'latest' },
    },
  },
  never: {
    rate_limited: 'is counted in the memory of an instance: test/functions/v1/configuration.test.ts',
    unavailable: 'without a database it answers that the database is down',
  },
});
