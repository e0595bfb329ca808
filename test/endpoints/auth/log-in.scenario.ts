import { logIn } from '../../../src/functions/auth/log-in.ts';
import { demo, password } from '../people.ts';
import { scenario } from '../scenario.ts';

export const logInScenario = scenario({
  endpoint: logIn,
  as: 'anonymous',
  good: {
    patient: { title: 'The demo patient of npm start', json: demo.patient },
    physician: { title: 'The demo physician of npm start', json: demo.physician },
  },
  mistakes: {
    missing: {
      title: 'The password is missing',
      code: 'validation_error',
      pointers: ['/password'],
      json: { email: 'alice@example.org' },
    },
    misspelt: {
      title: 'A misspelt member is refused, not ignored',
      code: 'validation_error',
      pointers: ['/e_mail', '/email'],
      json: { e_mail: demo.patient.email, password },
    },
  },
  refusals: {
    password: {
      title: 'A wrong password',
      code: 'invalid_credentials',
      json: { ...demo.patient, password: 'wrong' },
    },
    unknown: {
      title: 'An unknown address gets the same answer as a wrong password',
      code: 'invalid_credentials',
      json: { email: 'unknown@example.org', password },
    },
    inactive: {
      title: 'An account that was deactivated',
      code: 'account_inactive',
      as: 'newcomer',
      after: { me: 'getMe' },
      state: [`UPDATE users SET is_active = false WHERE email = '{{me.response.body.user.email}}'`],
      json: { email: '{{me.response.body.user.email}}', password },
    },
  },
  counted: { json: { ...demo.patient, password: 'wrong' } },
});
