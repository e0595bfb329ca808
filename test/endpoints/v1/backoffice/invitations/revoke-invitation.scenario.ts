import { v1BackofficeRevokeInvitation } from '../../../../../src/functions/v1/backoffice/invitations/revoke-invitation.ts';
import { scenario } from '../../../scenario.ts';

export const revokeInvitationScenario = scenario({
  endpoint: v1BackofficeRevokeInvitation,
  as: 'admin',
  good: {
    withdrawn: {
      title: 'The link of the mail no longer works',
      after: { invitation: 'inviteUser' },
      params: { uuid: '{{invitation.response.body.uuid}}' },
    },
  },
});
