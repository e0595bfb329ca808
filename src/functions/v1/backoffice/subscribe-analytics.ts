import { Problem } from '../../../contract/problem.ts';
import {
  AnalyticsSubscription,
  subscribeAnalytics,
} from '../../../domain/delivery/analytics/subscribe-analytics.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';

export const v1BackofficeSubscribeAnalytics = endpoint({
  name: 'v1BackofficeSubscribeAnalytics',
  method: 'GET',
  route: 'api/v1/backoffice/subscribe-analytics',
  tag: 'Backoffice',
  summary: 'Negotiate a WebSocket with the live counts of the tenant',
  description:
    'For members of a group with `analytics.read`, and admins. Open `url` with the subprotocol `protocol`; messages arrive ' +
    'as `{"type":"message", "data": …}`. `data` has counts of the whole tenant and nothing of a person:\n' +
    '- `type`: `snapshot` for the first, `delta` when something has changed; each has the whole state\n' +
    '- `at`, `seq`, `tenant_id`: ignore a message with a lower `seq` than one before on the same connection\n' +
    '- `queue`: `by_triage` (cases by triage level), `by_lane` (`pool`, `language`, `waiting`, `overdue`), `overdue`, `oldest_due_at` or null\n' +
    '- `in_review`, `on_hold`, `answered_last_hour`, `physicians_active` (of the last 15 minutes)\n' +
    '- `median_minutes_to_answer_24h` or null\n' +
    '- `ai`: `state` (`ok`, `degraded`, `down`, `unknown`), `p95_ms` or null, of the last 15 minutes\n\n' +
    'A message follows a change within seconds, and another one by two seconds at least. Negotiate again before `expires_at`.',
  auth: 'physician-level',
  audit: 'none',
  reply: { status: 200, description: 'Where to connect, for 60 minutes.', body: AnalyticsSubscription },
  problems: ['capability_required', 'websocket_negotiate_first', 'live_unavailable'],
  async handler({ context, actor, request }) {
    if (request.isWebSocket) throw new Problem('websocket_negotiate_first');
    return await subscribeAnalytics(context, actor);
  },
});
