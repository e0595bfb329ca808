import { resetPassword } from '../../../src/functions/auth/reset-password.ts';
import { newPassword, unknownToken } from '../people.ts';
import { scenario } from '../scenario.ts';

export const resetPasswordScenario = scenario({
  endpoint: resetPassword,
  as: 'newcomer',
  good: {
    reset: {
      title: 'The password is replaced, and all sessions end',
      after: { requested: 'requestPasswordReset' },
      json: { token: '{{resetToken}}', new_password: newPassword },
    },
  },
  mistakes: {
    weak: {
      title: 'A weak password does not use the token up',
      code: 'validation_error',
      pointers: ['/new_password'],
      json: { token: 'dgp_', new_password: '1234' },
    },
  },
  refusals: {
    unknown: {
      title: 'A token that was never issued, or has been used',
      code: 'reset_token_invalid',
      json: { token: unknownToken('dgp'), new_password: newPassword },
    },
  },
  counted: { json: { token: unknownToken('dgp'), new_password: newPassword } },
});
