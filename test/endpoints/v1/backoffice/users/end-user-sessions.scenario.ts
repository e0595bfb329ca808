import { v1BackofficeEndUserSessions } from '../../../../../src/functions/v1/backoffice/users/end-user-sessions.ts';
import { scenario } from '../../../scenario.ts';

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
});
