import { resendVerification } from '../../../src/functions/auth/resend-verification.ts';
import { scenario } from '../scenario.ts';

export const resendVerificationScenario = scenario({
  endpoint: resendVerification,
  as: 'newcomer',
  good: {
    requested: {
      title: 'The same answer whether or not there is anything to verify',
      after: { me: 'getMe' },
      json: { email: '{{me.response.body.user.email}}' },
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
