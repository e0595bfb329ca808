import { requestPasswordReset } from '../../../src/functions/auth/request-password-reset.ts';
import { scenario } from '../scenario.ts';

export const requestPasswordResetScenario = scenario({
  endpoint: requestPasswordReset,
  as: 'newcomer',
  good: {
    requested: {
      title: 'Sends a link to a registered address',
      after: { me: 'getMe' },
      json: { email: '{{me.response.body.user.email}}' },
    },
    unknown: {
      title: 'An unknown address gets the same answer, and no mail',
      as: 'anonymous',
      json: { email: 'unknown@example.org' },
    },
  },
  mistakes: {
    address: {
      title: 'Not an address',
      code: 'validation_error',
      pointers: ['/email'],
      json: { email: 'alice' },
    },
  },
});
