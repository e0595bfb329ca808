import { z } from 'zod';
import { Invitation } from '../../../../domain/membership/invitations/invitation.schemas.ts';
import { resendInvitation } from '../../../../domain/membership/invitations/resend-invitation.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeResendInvitation = endpoint({
  name: 'v1BackofficeResendInvitation',
  method: 'POST',
  route: 'api/v1/backoffice/invitations/{uuid}/resend',
  tag: 'Office',
  summary: 'Send an invitation again',
  description:
    'Replaces the invitation with a new one for the same address and role, valid for seven days; the previous token ' +
    'becomes invalid. Expired invitations can be sent again too. The reply is the same for an address that already ' +
    'has an account.',
  auth: 'admin-level',
  audit: { category: 'auth', success: 'invitation_resent', refusal: 'invitation_resent' },
  reads: ['lang'],
  params: z.object({ uuid: z.uuid().meta({ description: 'An invitation of the tenant.' }) }),
  missing: 'invitation_not_found',
  reply: { status: 201, description: 'The new invitation; its token goes by mail.', body: Invitation },
  problems: ['invitation_not_found'],
  async handler({ params, context, actor }) {
    return await resendInvitation(context, actor, params);
  },
});
