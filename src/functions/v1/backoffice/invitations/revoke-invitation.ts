import { z } from 'zod';
import { revokeInvitation } from '../../../../domain/membership/invitations/revoke-invitation.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeRevokeInvitation = endpoint({
  name: 'v1BackofficeRevokeInvitation',
  method: 'DELETE',
  route: 'api/v1/backoffice/invitations/{uuid}',
  tag: 'Office',
  summary: 'Revoke an open invitation',
  description: 'The same as `DELETE /api/auth/invitations/{uuid}`: the token becomes invalid.',
  auth: 'admin-level',
  audit: { category: 'auth', success: 'invitation_revoked', refusal: 'invitation_revoked' },
  params: z.object({ uuid: z.uuid().meta({ description: 'An open invitation of the tenant.' }) }),
  missing: 'invitation_not_found',
  reply: { status: 204, description: 'The invitation is withdrawn.' },
  problems: ['invitation_not_found'],
  async handler({ params, context, actor }) {
    await revokeInvitation(context, actor, params, 'invitation_not_found');
  },
});
