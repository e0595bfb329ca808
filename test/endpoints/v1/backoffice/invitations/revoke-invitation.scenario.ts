import { v1BackofficeRevokeInvitation } from '../../../../../src/functions/v1/backoffice/invitations/revoke-invitation.ts';
import { scenario } from '../../../scenario.ts';
import { newInvitation } from '../../../access/office-rows.ts';
import { about, send } from '../../../access/rows.ts';

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
  access: {
    'an invitation': {
      ...about(newInvitation, ({ uuid }) => send('DELETE', `invitations/${uuid}`)),
      cells: '401 403 403 404 403 403 403 403 403 204',
    },
  },
});
