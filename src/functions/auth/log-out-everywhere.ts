import { endSessions } from '../../domain/identity/sessions/session.queries.ts';
import { inTenant } from '../../lib/db/tenant.ts';
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
  reply: { status: 204, description: 'All sessions are over.' },
  problems: [],
  async handler({ actor, context: { db, clock, audit } }) {
    await inTenant(db, actor.tenantId, async (tx) => {
      const sessions = await endSessions(tx, actor.id, 'all', 'logout_all', clock.now());
      await audit.succeeded(tx, { detail: { reason: 'logout_all', sessions } });
    });
  },
});
