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
    'Its access and refresh tokens end at once. Ending the current session is a logout. Once the session has ended, the same ' +
    'request is 404.',
  auth: 'any',
  audit: { category: 'auth', success: 'session_ended', refusal: 'session_ended' },
  params: z.object({
    id: z.uuid().meta({ description: 'One of my sessions, from `GET /api/auth/sessions`.' }),
  }),
  reply: { status: 204, description: 'The session has ended.' },
  problems: ['not_found'],
  async handler({ context, actor, params }) {
    await end(context, actor, params);
  },
});
