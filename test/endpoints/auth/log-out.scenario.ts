import { logOut } from '../../../src/functions/auth/log-out.ts';
import { scenario } from '../scenario.ts';

export const logOutScenario = scenario({
  endpoint: logOut,
  as: 'newcomer',
  good: {
    session: {
      title: 'Ends the session of this refresh token, if there is one',
      json: { refresh_token: '{{newcomer.response.body.refresh_token}}' },
    },
  },
  mistakes: {
    missing: {
      title: 'The refresh token is missing',
      code: 'validation_error',
      pointers: ['/refresh_token'],
      json: {},
    },
  },
  unauditedRefusal: 'It refuses only what it cannot read; an unknown token is answered as a known one is.',
});
