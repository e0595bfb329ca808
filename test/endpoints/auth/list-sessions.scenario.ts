import { listSessions } from '../../../src/functions/auth/list-sessions.ts';
import { password } from '../people.ts';
import { scenario } from '../scenario.ts';

export const listSessionsScenario = scenario({
  endpoint: listSessions,
  as: 'newcomer',
  good: {
    two_devices: {
      title: 'Logged in on two devices',
      after: {
        me: 'getMe',
        other: { operation: 'logIn', json: { email: '{{me.response.body.user.email}}', password } },
      },
    },
  },
});
