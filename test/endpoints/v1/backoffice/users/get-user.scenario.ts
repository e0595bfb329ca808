import { v1BackofficeGetUser } from '../../../../../src/functions/v1/backoffice/users/get-user.ts';
import { scenario } from '../../../scenario.ts';

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
});
