import { v1BackofficeListInvitations } from '../../../../../src/functions/v1/backoffice/invitations/list-invitations.ts';
import { scenario } from '../../../scenario.ts';
import { newInvitation } from '../../../access/office-rows.ts';
import { about, get, itself } from '../../../access/rows.ts';

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
  access: {
    'an invitation': {
      ...about(newInvitation, () => get('invitations'), itself),
      cells: '401 403 403 unseen 403 403 403 403 403 seen',
    },
  },
});
