import type { AnalyticsSubscription } from '../../../../src/domain/delivery/analytics/subscribe-analytics.ts';
import { v1BackofficeSubscribeAnalytics } from '../../../../src/functions/v1/backoffice/subscribe-analytics.ts';
import { scenario } from '../../scenario.ts';
import { get, plain } from '../../access/rows.ts';

export const subscribeAnalyticsScenario = scenario({
  endpoint: v1BackofficeSubscribeAnalytics,
  as: 'admin',
  good: {
    negotiated: {
      title: 'An address for one client',
      shown: (reply: AnalyticsSubscription) => ({
        ...reply,
        group: 'tenant-1-491217',
        url: 'wss://dermagate.webpubsub.azure.com/client/hubs/analytics?access_token=eyJhbGciOiJIUzI1NiJ9.e30.signature',
      }),
    },
  },
  mistakes: {
    webSocket: {
      title: 'A WebSocket that is opened here',
      code: 'websocket_negotiate_first',
      headers: { 'sec-websocket-version': '13' },
    },
  },
  refusals: {
    physician: {
      title: 'A physician in no group that may',
      code: 'capability_required',
      as: 'physician',
      state: [
        `DELETE FROM user_group_members WHERE group_id IN (
           SELECT id FROM user_groups WHERE settings -> 'capabilities' ? 'analytics.read')`,
      ],
    },
    unconfigured: {
      title: 'Where Web PubSub is not configured',
      code: 'live_unavailable',
      on: 'strict',
    },
  },
  access: {
    counts: {
      ...plain(() => get('subscribe-analytics')),
      cells: '401 403 capability off capability capability capability off capability off',
    },
  },
});
