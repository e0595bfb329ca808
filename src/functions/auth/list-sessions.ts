import { z } from 'zod';
import { listOpenSessions } from '../../domain/sessions/session.queries.ts';
import { inTenant } from '../../lib/db/tenant.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Timestamp } from '../../lib/http/timestamp.ts';

const Session = z
  .object({
    id: z.uuid(),
    created_at: Timestamp,
    last_used_at: Timestamp.meta({ description: 'When its tokens were last renewed' }),
    user_agent: z.string().nullable(),
    ip_prefix: z.string().nullable().meta({ description: '/24 or /64 of the address that opened it' }),
    current: z.boolean().meta({ description: 'Whether this request belongs to it' }),
  })
  .meta({ id: 'Session' });

export const listSessions = endpoint({
  name: 'listSessions',
  method: 'GET',
  route: 'api/auth/sessions',
  tag: 'Authentication',
  summary: 'My open sessions, the one used last first',
  auth: 'any',
  audit: 'none',
  reply: {
    status: 200,
    description: 'Exactly one is `current`.',
    body: z.object({ sessions: z.array(Session) }).meta({ id: 'SessionList' }),
  },
  problems: [],
  async handler({ user, db, clock }) {
    const rows = await inTenant(db, user.tenantId, (tx) =>
      listOpenSessions(tx, user.id, user.sessionUuid, clock.now()),
    );
    const sessions = rows.map(({ uuid, ...row }) => ({
      id: uuid,
      ...row,
      current: uuid === user.sessionUuid,
    }));
    return { sessions };
  },
});
