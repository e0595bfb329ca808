import { z } from 'zod';
import { endSession as end } from '../../domain/identity/sessions/end-session.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

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
  async handler({ context, actor, params }) {
    await end(context, actor, params);
  },
});
