import { z } from 'zod';
import { findRefreshToken } from '../../domain/identity/sessions/find-refresh-token.ts';
import { endSessions } from '../../domain/identity/sessions/session.queries.ts';
import { hashOpaqueToken } from '../../lib/auth/opaque-token.ts';
import { inTenant } from '../../lib/db/tenant.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const logOut = endpoint({
  name: 'logOut',
  method: 'POST',
  route: 'api/auth/logout',
  tag: 'Authentication',
  summary: 'End the session of a refresh token',
  description:
    'Needs no access token and always answers 204, also for a token that is unknown or used up, so it is safe to repeat. ' +
    'Access tokens of the session end with it.',
  auth: 'public',
  audit: { category: 'auth', success: 'session_ended', refusal: 'session_ended' },
  body: z
    .strictObject({
      refresh_token: z.string().meta({ description: 'Any refresh token of the session, also a used one.' }),
    })
    .meta({ id: 'LogoutRequest', description: 'A token of the session to end.' }),
  reply: { status: 204, description: 'The session is over.' },
  problems: [],
  async handler({ body, context: { db, clock, audit } }) {
    const hash = hashOpaqueToken('refresh', body.refresh_token);
    const token = hash && (await findRefreshToken(db, hash, clock.now()));
    if (token === undefined) return;
    const { tenant_id: tenantId, user_id: userId, session_uuid: sessionUuid } = token;
    await inTenant(db, tenantId, async (tx) => {
      const ended = await endSessions(tx, userId, { only: sessionUuid }, 'logout', clock.now());
      if (ended === 0) return;
      await audit.succeeded(tx, { tenantId, userId, sessionUuid, detail: { reason: 'logout' } });
    });
  },
});
