import { v1BackofficeResendInvitation } from '../../../../../src/functions/v1/backoffice/invitations/resend-invitation.ts';
import { scenario } from '../../../scenario.ts';
import { newInvitation } from '../../../access/office-rows.ts';
import { about, send } from '../../../access/rows.ts';

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
  access: {
    'an invitation': {
      ...about(newInvitation, ({ uuid }) => send('POST', `invitations/${uuid}/resend`)),
      cells: '401 403 403 404 403 403 403 403 403 201',
    },
  },
});
