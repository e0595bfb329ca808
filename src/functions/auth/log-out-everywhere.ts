import { logOutEverywhere as endSessions } from '../../domain/identity/sessions/log-out-everywhere.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const logOutEverywhere = endpoint({
  name: 'logOutEverywhere',
  method: 'POST',
  route: 'api/auth/logout-all',
  tag: 'Authentication',
  summary: 'End all my sessions, this one included',
  description: 'For a lost phone. Access tokens of all these sessions end at once.',
  auth: 'any',
  audit: { category: 'auth', success: 'session_ended', refusal: 'session_ended' },
  reply: { status: 204, description: 'All sessions have ended.' },
  problems: [],
  async handler({ context, actor }) {
    await endSessions(context, actor);
  },
});
