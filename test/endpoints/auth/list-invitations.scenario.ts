import { listInvitations } from '../../../src/functions/auth/list-invitations.ts';
import { scenario } from '../scenario.ts';

export const listInvitationsScenario = scenario({
  endpoint: listInvitations,
  as: 'admin',
  good: {
    open: {
      title: 'One invitation is open',
      after: { invitation: 'inviteUser' },
      shown: ({ invitations }: { invitations: unknown[] }) => ({ invitations: invitations.slice(0, 1) }),
    },
  },
});
