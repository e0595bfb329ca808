import { z } from 'zod';
import { logOut as endSession } from '../../domain/identity/sessions/log-out.ts';
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
  reply: { status: 204, description: 'The session has ended.' },
  problems: [],
  async handler({ context, actor, body }) {
    await endSession(context, actor, body);
  },
});
