import { v1BackofficeEndUserSessions } from '../../../../../src/functions/v1/backoffice/users/end-user-sessions.ts';
import { scenario } from '../../../scenario.ts';
import { newMember } from '../../../access/office-rows.ts';
import { about, send } from '../../../access/rows.ts';

export const endUserSessionsScenario = scenario({
  endpoint: v1BackofficeEndUserSessions,
  as: 'admin',
  good: {
    ended: {
      title: 'A lost phone',
      after: { person: { operation: 'getMe', as: 'newcomer' } },
      params: { uuid: '{{person.response.body.user.uuid}}' },
    },
  },
  access: {
    'an account': {
      ...about(newMember('patient'), ({ uuid }) => send('POST', `users/${uuid}/end-sessions`)),
      cells: '401 403 403 404 403 403 403 403 403 200',
    },
  },
});
