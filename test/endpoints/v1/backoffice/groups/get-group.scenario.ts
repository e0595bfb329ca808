import { v1BackofficeGetGroup } from '../../../../../src/functions/v1/backoffice/groups/get-group.ts';
import { scenario } from '../../../scenario.ts';
import { newGroup } from '../../../access/office-rows.ts';
import { about, get } from '../../../access/rows.ts';

const params = { uuid: '{{group.response.body.uuid}}' };

export const getGroupScenario = scenario({
  endpoint: v1BackofficeGetGroup,
  as: 'admin',
  good: {
    members: {
      title: 'With its members',
      after: {
        group: 'v1BackofficeCreateGroup',
        me: 'getMe',
        joined: {
          operation: 'v1BackofficeChangeGroupMembers',
          params,
          json: { add: ['{{me.response.body.user.uuid}}'] },
        },
      },
      params,
    },
  },
  mistakes: {
    limit: {
      title: 'A limit of 0',
      code: 'validation_error',
      pointers: ['/limit'],
      after: { group: 'v1BackofficeCreateGroup' },
      params,
      query: { limit: '0' },
    },
  },
  refusals: {
    cursor: {
      title: 'A cursor of another list',
      code: 'cursor_invalid',
      after: { group: 'v1BackofficeCreateGroup' },
      params,
      query: { cursor: 'WzFd.AAAAAAAAAAAAAAAAAAAAAA' },
    },
  },
  access: {
    'a group': {
      ...about(newGroup, ({ uuid }) => get(`groups/${uuid}`)),
      cells: '401 403 403 404 403 403 403 403 403 200',
    },
  },
});
