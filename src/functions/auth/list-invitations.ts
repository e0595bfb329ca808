import { z } from 'zod';
import { Role } from '../../contract/role.ts';
import { listInvitations as list } from '../../domain/identity/invitations/list-invitations.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Timestamp } from '../../contract/timestamp.ts';

const OpenInvitation = z
  .object({
    uuid: z.uuid().meta({ description: 'For `DELETE /api/auth/invitations/{uuid}`.' }),
    email: z.string().meta({ description: 'The address that is invited.' }),
    role: Role,
    invited_by: z.uuid().meta({ description: 'The admin who invited it.' }),
    created_at: Timestamp.meta({ description: 'When it was made.' }),
    expires_at: Timestamp.meta({ description: 'When it stops working.' }),
  })
  .meta({ id: 'OpenInvitation', description: 'An invitation that can still be redeemed.' });

export const listInvitations = endpoint({
  name: 'listInvitations',
  method: 'GET',
  route: 'api/auth/invitations',
  tag: 'Authentication',
  summary: 'The open invitations of my tenant, the newest first',
  description:
    'Those that can still be redeemed: unused, not expired, neither replaced nor withdrawn, and made by an admin who still ' +
    'is one. At most the 500 newest.',
  auth: 'admin-level',
  audit: 'none',
  reply: {
    status: 200,
    description: 'Open invitations; their tokens are nowhere to be read.',
    body: z
      .object({ invitations: z.array(OpenInvitation).meta({ description: 'The newest first.' }) })
      .meta({ id: 'InvitationList', description: 'Open invitations of a tenant.' }),
  },
  problems: [],
  async handler({ context, actor }) {
    return { invitations: await list(context, actor) };
  },
});
