import { InvitationList } from '../../../../domain/identity/invitations/invitation.schemas.ts';
import { listInvitations } from '../../../../domain/identity/invitations/list-invitations.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeListInvitations = endpoint({
  name: 'v1BackofficeListInvitations',
  method: 'GET',
  route: 'api/v1/backoffice/invitations',
  tag: 'Office',
  summary: 'List the open invitations of my tenant, newest first',
  description:
    'As `GET /api/auth/invitations`: unused, not expired, neither replaced nor withdrawn, at most the 500 newest. ' +
    '`POST /api/auth/invitations` invites, `POST /api/v1/backoffice/physicians` invites a physician with a profile.',
  auth: 'admin-level',
  audit: 'none',
  reply: { status: 200, description: 'Open invitations, without their tokens.', body: InvitationList },
  problems: [],
  async handler({ context, actor }) {
    return { invitations: await listInvitations(context, actor) };
  },
});
