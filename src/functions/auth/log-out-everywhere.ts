import { recordSuccess } from '../../domain/platform/events/record-event.ts';
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
  async handler({ user, db, clock, request }) {
    await inTenant(db, user.tenantId, async (tx) => {
      const sessions = await endSessions(tx, user.id, 'all', 'logout_all', clock.now());
      const { tenantId, id: userId, sessionUuid } = user;
      await recordSuccess(
        tx,
        { tenantId, userId, sessionUuid, request },
        {
          category: 'auth',
          action: 'session_ended',
          detail: { reason: 'logout_all', sessions },
        },
      );
    });
  },
});
