import { v1BackofficeChangeUser } from '../../../../../src/functions/v1/backoffice/users/change-user.ts';
import { demo } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';
import { newMember } from '../../../access/office-rows.ts';
import { about, send } from '../../../access/rows.ts';

const newcomer = {
  after: { person: { operation: 'getMe', as: 'newcomer' as const } },
  params: { uuid: '{{person.response.body.user.uuid}}' },
  headers: { 'if-match': '"1"' },
};
const me = '{{me.response.body.user.uuid}}';
const myself = {
  after: { me: 'getMe', self: { operation: 'v1BackofficeGetUser', params: { uuid: me } } },
  params: { uuid: me },
  headers: { 'if-match': '{{self.response.headers.etag}}' },
  json: { is_active: false },
};

export const changeUserScenario = scenario({
  endpoint: v1BackofficeChangeUser,
  as: 'admin',
  good: {
    physician: { title: 'A patient becomes a physician', ...newcomer, json: { role: 'physician' } },
    inactive: { title: 'Nobody logs in to it any more', ...newcomer, json: { is_active: false } },
  },
  mistakes: {
    role: {
      title: 'A role that does not exist',
      code: 'validation_error',
      pointers: ['/role'],
      ...newcomer,
      json: { role: 'nurse' },
    },
  },
  refusals: {
    own: {
      title: 'The own account',
      code: 'own_account',
      ...myself,
      state: [
        `INSERT INTO users (uuid, tenant_id, email, password_hash, role)
         VALUES (gen_random_uuid(), 1, 'deputy-{{$timestamp}}@example.org', '!', 'admin')`,
      ],
    },
    last: {
      title: 'The only admin',
      code: 'last_admin',
      ...myself,
      state: [
        `UPDATE users SET is_active = false WHERE role = 'admin' AND is_active AND email <> '${demo.admin.email}'`,
      ],
    },
  },
  access: {
    'an account': {
      ...about(newMember('patient'), ({ uuid, version }) =>
        send('PATCH', `users/${uuid}`, { is_active: false, version }),
      ),
      cells: '401 403 403 404 403 403 403 403 403 200',
    },
  },
});
