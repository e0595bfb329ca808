import { InvitationList } from '../../../../domain/membership/invitations/invitation.schemas.ts';
import { listInvitations } from '../../../../domain/membership/invitations/list-invitations.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeListInvitations = endpoint({
  name: 'v1BackofficeListInvitations',
  method: 'GET',
  route: 'api/v1/backoffice/invitations',
  tag: 'Office',
  summary: 'List the open invitations of the tenant, newest first',
  description:
    'The same list as `GET /api/auth/invitations`: unused, not expired, neither replaced nor revoked; at most the ' +
    '500 newest. `POST /api/auth/invitations` creates an invitation, `POST /api/v1/backoffice/physicians` one for a ' +
    'physician with a profile.',
  auth: 'admin-level',
  audit: 'none',
  reply: { status: 200, description: 'Open invitations, without their tokens.', body: InvitationList },
  problems: [],
  async handler({ context, actor }) {
    return { invitations: await listInvitations(context, actor) };
  },
});
