import { v1BackofficeGetUser } from '../../../../../src/functions/v1/backoffice/users/get-user.ts';
import { scenario } from '../../../scenario.ts';
import { newMember } from '../../../access/office-rows.ts';
import { about, get } from '../../../access/rows.ts';

const params = { uuid: '{{person.response.body.user.uuid}}' };
const person = { operation: 'getMe', as: 'newcomer' as const };
const promoted = { operation: 'v1BackofficeChangeUser', params, json: { role: 'physician', version: 1 } };

export const getUserScenario = scenario({
  endpoint: v1BackofficeGetUser,
  as: 'admin',
  good: {
    physician: {
      title: 'A physician in a group',
      after: {
        person,
        promoted,
        group: 'v1BackofficeCreateGroup',
        joined: {
          operation: 'v1BackofficeChangeGroupMembers',
          params: { uuid: '{{group.response.body.uuid}}' },
          json: { add: [params.uuid] },
        },
      },
      params,
    },
  },
  access: {
    'an account': {
      ...about(newMember('patient'), ({ uuid }) => get(`users/${uuid}`)),
      cells: '401 403 403 404 403 403 403 403 403 200',
    },
  },
});
