import { v1BackofficeListInvitations } from '../../../../../src/functions/v1/backoffice/invitations/list-invitations.ts';
import { scenario } from '../../../scenario.ts';

export const listInvitationsScenario = scenario({
  endpoint: v1BackofficeListInvitations,
  as: 'admin',
  good: {
    open: {
      title: 'One invitation is open',
      after: { invitation: 'inviteUser' },
      shown: ({ invitations }: { invitations: unknown[] }) => ({ invitations: invitations.slice(0, 1) }),
    },
  },
});
