import { z } from 'zod';
import { endUserSessions } from '../../../../domain/identity/users/end-user-sessions.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeEndUserSessions = endpoint({
  name: 'v1BackofficeEndUserSessions',
  method: 'POST',
  route: 'api/v1/backoffice/users/{uuid}/end-sessions',
  tag: 'Office',
  summary: 'End all sessions of an account',
  description:
    'From the next request on its tokens are invalid. The account stays active and can log in again.',
  auth: 'admin-level',
  audit: { category: 'admin', success: 'user_sessions_ended', refusal: 'user_sessions_ended' },
  params: z.object({ uuid: z.uuid().toLowerCase().meta({ description: 'An account of the tenant.' }) }),
  missing: 'user_not_found',
  reply: {
    status: 200,
    description: 'They have ended.',
    body: z
      .object({ sessions_ended: z.int().meta({ description: 'How many were open until now.' }) })
      .meta({ id: 'EndedSessions', description: 'Sessions that have ended.' }),
  },
  problems: ['user_not_found'],
  async handler({ params, context, actor }) {
    return { sessions_ended: await endUserSessions(context, actor, params) };
  },
});
