import { z } from 'zod';
import { listSessions as list } from '../../domain/identity/sessions/list-sessions.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Timestamp } from '../../contract/timestamp.ts';

const Session = z
  .object({
    id: z.uuid().meta({ description: 'For `DELETE /api/auth/sessions/{id}`.' }),
    created_at: Timestamp.meta({ description: 'When it was opened.' }),
    last_used_at: Timestamp.meta({ description: 'When its tokens were last renewed.' }),
    user_agent: z.string().nullable().meta({ description: 'User agent of the client that opened it.' }),
    ip_prefix: z.string().nullable().meta({ description: '/24 or /64 of the address that opened it.' }),
    current: z.boolean().meta({ description: 'Whether this request belongs to it.' }),
  })
  .meta({ id: 'Session', description: 'A login on one device or browser.' });

export const listSessions = endpoint({
  name: 'listSessions',
  method: 'GET',
  route: 'api/auth/sessions',
  tag: 'Authentication',
  summary: 'List my open sessions, most recently used first',
  description: 'One entry for each device or browser with a valid refresh token.',
  auth: 'any',
  audit: 'none',
  reply: {
    status: 200,
    description: 'Exactly one is `current`.',
    body: z
      .object({ sessions: z.array(Session).meta({ description: 'Most recently used first.' }) })
      .meta({ id: 'SessionList', description: 'My open sessions.' }),
  },
  problems: [],
  async handler({ context, actor }) {
    return { sessions: await list(context, actor) };
  },
});
