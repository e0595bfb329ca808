import { revokeInvitation } from '../../../src/functions/auth/revoke-invitation.ts';
import { unknownId } from '../people.ts';
import { scenario } from '../scenario.ts';

export const revokeInvitationScenario = scenario({
  endpoint: revokeInvitation,
  as: 'admin',
  good: {
    withdrawn: {
      title: 'The link of the mail no longer works',
      after: { invitation: 'inviteUser' },
      params: { uuid: '{{invitation.response.body.uuid}}' },
    },
  },
  refusals: {
    unknown: {
      title: 'An invitation that does not exist',
      code: 'not_found',
      params: { uuid: unknownId },
    },
  },
});
