import { v1BackofficeResendInvitation } from '../../../../../src/functions/v1/backoffice/invitations/resend-invitation.ts';
import { scenario } from '../../../scenario.ts';

export const resendInvitationScenario = scenario({
  endpoint: v1BackofficeResendInvitation,
  as: 'admin',
  good: {
    again: {
      title: 'The link of the mail before no longer works',
      after: { invitation: 'inviteUser' },
      params: { uuid: '{{invitation.response.body.uuid}}' },
    },
  },
});
