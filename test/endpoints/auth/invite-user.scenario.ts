import { inviteUser } from '../../../src/functions/auth/invite-user.ts';
import { scenario } from '../scenario.ts';

export const inviteUserScenario = scenario({
  endpoint: inviteUser,
  as: 'admin',
  good: {
    physician: {
      title: 'A physician; without a mail server the reply has the token',
      json: { email: 'bob-{{$timestamp}}@example.org', role: 'physician' },
    },
  },
  mistakes: {
    role: {
      title: 'A role that does not exist',
      code: 'validation_error',
      pointers: ['/role'],
      json: { email: 'bob@example.org', role: 'surgeon' },
    },
  },
  atScale: {
    again: {
      after: { first: { operation: 'inviteUser', json: again() } },
      json: again(),
    },
  },
});

function again() {
  return { email: 'plans-guest@example.org', role: 'patient' };
}
