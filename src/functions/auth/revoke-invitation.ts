import { z } from 'zod';
import { revokeInvitation as revoke } from '../../domain/membership/invitations/revoke-invitation.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const revokeInvitation = endpoint({
  name: 'revokeInvitation',
  method: 'DELETE',
  route: 'api/auth/invitations/{uuid}',
  tag: 'Authentication',
  summary: 'Withdraw an open invitation',
  description:
    'Its token no longer works. Once the invitation is withdrawn, used or expired, the same request is 404.',
  auth: 'admin-level',
  audit: { category: 'auth', success: 'invitation_revoked', refusal: 'invitation_revoked' },
  params: z.object({
    uuid: z.uuid().meta({ description: 'An open invitation, from `GET /api/auth/invitations`.' }),
  }),
  reply: { status: 204, description: 'The invitation is withdrawn.' },
  problems: ['not_found'],
  async handler({ context, actor, params }) {
    await revoke(context, actor, params);
  },
});
