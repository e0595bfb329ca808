import { InvitationList } from '../../domain/membership/invitations/invitation.schemas.ts';
import { listInvitations as list } from '../../domain/membership/invitations/list-invitations.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

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
    body: InvitationList,
  },
  problems: [],
  async handler({ context, actor }) {
    return { invitations: await list(context, actor) };
  },
});
