import { verifyEmail } from '../../../src/functions/auth/verify-email.ts';
import { unknownToken } from '../people.ts';
import { scenario } from '../scenario.ts';

export const verifyEmailScenario = scenario({
  endpoint: verifyEmail,
  as: 'newcomer',
  good: { verified: { title: 'The address is verified', json: { token: '{{verificationToken}}' } } },
  mistakes: {
    missing: { title: 'The token is missing', code: 'validation_error', pointers: ['/token'], json: {} },
  },
  refusals: {
    unknown: {
      title: 'A token that was never issued, or has been used',
      code: 'verification_invalid',
      json: { token: unknownToken('dgv') },
    },
  },
  counted: { json: { token: unknownToken('dgv') } },
});
