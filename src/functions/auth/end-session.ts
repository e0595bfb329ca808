import { z } from 'zod';
import { endSessions, isSessionOf } from '../../domain/identity/sessions/session.queries.ts';
import { inTenant } from '../../lib/db/tenant.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Problem } from '../../contract/problem.ts';

export const endSession = endpoint({
  name: 'endSession',
  method: 'DELETE',
  route: 'api/auth/sessions/{id}',
  tag: 'Authentication',
  summary: 'End one of my sessions',
  description:
    'Its access and refresh tokens end at once. Ending the session that asks is a logout. Once it is over, the same ' +
    'request is 404.',
  auth: 'any',
  audit: { category: 'auth', success: 'session_ended', refusal: 'session_ended' },
  params: z.object({
    id: z.uuid().meta({ description: 'Of a session of mine, from `GET /api/auth/sessions`.' }),
  }),
  reply: { status: 204, description: 'The session is over.' },
  problems: ['not_found'],
  async handler({ params, actor, context: { db, clock, audit } }) {
    await inTenant(db, actor.tenantId, async (tx) => {
      const ended = await endSessions(tx, actor.id, { only: params.id }, 'revoked_by_user', clock.now());
      if (ended === 0) {
        const detail = 'You have no open session with this id.';
        const isOwn = await isSessionOf(tx, params.id, actor.id);
        throw new Problem('not_found', {
          detail,
          ...(!isOwn && { conceals: { kind: 'session', uuid: params.id } }),
        });
      }
      const subject = { kind: 'session', uuid: params.id };
      await audit.succeeded(tx, { subject, detail: { reason: 'revoked_by_user' } });
    });
  },
});
