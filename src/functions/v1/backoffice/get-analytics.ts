import { AnalyticsCounts } from '../../../domain/delivery/analytics/analytics-counts.schemas.ts';
import { readCounts } from '../../../domain/delivery/analytics/read-counts.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';

export const v1BackofficeGetAnalytics = endpoint({
  name: 'v1BackofficeGetAnalytics',
  method: 'GET',
  route: 'api/v1/backoffice/analytics',
  tag: 'Backoffice',
  summary: 'Read the counts of the queue of my tenant',
  description:
    'For members of a group with `analytics.read`, and admins. The counts that `subscribe-analytics` delivers live, as of now: for ' +
    'clients without a WebSocket, every 30 seconds.',
  auth: 'physician-level',
  audit: 'none',
  reply: { status: 200, description: 'The counts as of now.', body: AnalyticsCounts },
  problems: ['capability_required'],
  async handler({ context, actor }) {
    return await readCounts(context, actor);
  },
});
