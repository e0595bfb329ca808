import { z } from 'zod';
import { Role } from '../../contract/role.ts';
import { listInvitations as list } from '../../domain/identity/invitations/list-invitations.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Timestamp } from '../../contract/timestamp.ts';

const OpenInvitation = z
  .object({
    uuid: z.uuid().meta({ description: 'For `DELETE /api/auth/invitations/{uuid}`.' }),
    email: z.string().meta({ description: 'The invited address.' }),
    role: Role,
    invited_by: z.uuid().meta({ description: 'The admin who invited it.' }),
    created_at: Timestamp.meta({ description: 'When it was created.' }),
    expires_at: Timestamp.meta({ description: 'When it expires.' }),
  })
  .meta({ id: 'OpenInvitation', description: 'An invitation that can still be redeemed.' });

export const listInvitations = endpoint({
  name: 'listInvitations',
  method: 'GET',
  route: 'api/auth/invitations',
  tag: 'Authentication',
  summary: 'List the open invitations of my tenant, newest first',
  description:
    'Unused, not expired, neither replaced nor withdrawn, and created by an account that is still an admin. At most the ' +
    '500 newest.',
  auth: 'admin-level',
  audit: 'none',
  reply: {
    status: 200,
    description: 'Open invitations, without their tokens.',
    body: z
      .object({ invitations: z.array(OpenInvitation).meta({ description: 'Newest first.' }) })
      .meta({ id: 'InvitationList', description: 'Open invitations of a tenant.' }),
  },
  problems: [],
  async handler({ context, actor }) {
    return { invitations: await list(context, actor) };
  },
});
