import { changePassword } from '../../../src/functions/auth/change-password.ts';
import { newPassword, password } from '../people.ts';
import { scenario } from '../scenario.ts';

const wrong = { current_password: 'not my password', new_password: newPassword };

export const changePasswordScenario = scenario({
  endpoint: changePassword,
  as: 'newcomer',
  good: {
    changed: {
      title: 'The password is replaced, and all other sessions end',
      json: { current_password: password, new_password: newPassword },
    },
  },
  mistakes: {
    weak: {
      title: 'The new password is too short',
      code: 'validation_error',
      pointers: ['/new_password'],
      json: { current_password: password, new_password: '1234' },
    },
  },
  refusals: {
    wrong: { title: 'A wrong current password', code: 'current_password_invalid', json: wrong },
    unchanged: {
      title: 'The same password again',
      code: 'password_unchanged',
      json: { current_password: password, new_password: password },
    },
  },
  counted: { json: wrong },
});
