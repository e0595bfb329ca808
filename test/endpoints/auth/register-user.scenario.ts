import { registerUser } from '../../../src/functions/auth/register-user.ts';
import { demo, password, unknownToken } from '../people.ts';
import { scenario } from '../scenario.ts';

const taken = { ...demo.patient, password, role: 'patient' };

export const registerUserScenario = scenario({
  endpoint: registerUser,
  as: 'anonymous',
  good: {
    patient: {
      title: 'A patient',
      json: { email: 'alice-{{$timestamp}}@example.org', password, role: 'patient' },
    },
    physician: {
      title: 'A physician, created by an admin',
      as: 'admin',
      json: { email: 'grace-{{$timestamp}}@example.org', password, role: 'physician' },
    },
    invitation: {
      title: 'With an invitation, which brings email, role and tenant',
      after: { invitation: { operation: 'inviteUser', as: 'admin', json: invitee() } },
      json: { invitation_token: '{{invitationToken}}', password },
    },
  },
  mistakes: {
    fields: {
      title: 'Every wrong field is named at once',
      code: 'validation_error',
      pointers: ['/email', '/password', '/role'],
      json: { email: 'alice at example.org', password: 'short', role: 'nurse' },
    },
    common_password: {
      title: 'A password of the 10,000 commonest',
      code: 'validation_error',
      pointers: ['/password'],
      json: { email: 'common-{{$timestamp}}@example.org', password: 'password1', role: 'patient' },
    },
  },
  refusals: {
    taken: { title: 'One address is one account', code: 'email_taken', json: taken },
    role: {
      title: 'A role that needs an invitation',
      code: 'role_not_allowed',
      on: 'strict',
      json: { email: 'frank-{{$timestamp}}@example.org', password, role: 'physician' },
    },
    tenant: {
      title: 'A tenant that does not exist',
      code: 'tenant_not_found',
      query: { tenant: 'nowhere' },
      json: { email: 'lost-{{$timestamp}}@example.org', password, role: 'patient' },
    },
    invitation: {
      title: 'An invitation that was never made',
      code: 'invitation_invalid',
      json: { invitation_token: unknownToken('dgi'), password },
    },
  },
  counted: { json: taken },
});

function invitee() {
  return { email: 'bob-{{$timestamp}}@example.org', role: 'physician' };
}
