import { v1BackofficeSearchUsers } from '../../../../../src/functions/v1/backoffice/users/search-users.ts';
import { scenario } from '../../../scenario.ts';
import { newMember } from '../../../access/office-rows.ts';
import { about, itself, post } from '../../../access/rows.ts';

const after = {
  person: { operation: 'getMe', as: 'newcomer' as const },
  promoted: {
    operation: 'v1BackofficeChangeUser',
    params: { uuid: '{{person.response.body.user.uuid}}' },
    json: { role: 'physician', version: 1 },
  },
};

export const searchUsersScenario = scenario({
  endpoint: v1BackofficeSearchUsers,
  as: 'admin',
  good: {
    address: {
      title: 'Physicians whose address begins so',
      after,
      json: { q: '{{person.response.body.user.email}}', role: 'physician', limit: 10 },
    },
  },
  mistakes: {
    role: {
      title: 'A role that does not exist',
      code: 'validation_error',
      pointers: ['/role'],
      json: { role: 'nurse' },
    },
  },
  refusals: {
    cursor: { title: 'A cursor that was altered', code: 'cursor_invalid', json: { cursor: 'WyJhIl0.AAAA' } },
  },
  atScale: {
    all: { json: {} },
    inactive: { json: { is_active: false } },
    admins: { json: { role: 'admin', is_active: true } },
    prefix: { json: { q: 'user12' } },
  },
  access: {
    'an account': {
      ...about(newMember('patient'), () => post('users/search', { q: 'access-', limit: 100 }), itself),
      cells: '401 403 403 unseen 403 403 403 403 403 seen',
    },
  },
});
