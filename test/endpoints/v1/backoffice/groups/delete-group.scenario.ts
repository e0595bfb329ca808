import { v1BackofficeDeleteGroup } from '../../../../../src/functions/v1/backoffice/groups/delete-group.ts';
import { scenario } from '../../../scenario.ts';
import { newGroup } from '../../../access/office-rows.ts';
import { about, send } from '../../../access/rows.ts';

export const deleteGroupScenario = scenario({
  endpoint: v1BackofficeDeleteGroup,
  as: 'admin',
  good: {
    gone: {
      title: 'Its members lose what it added',
      after: { group: 'v1BackofficeCreateGroup' },
      params: { uuid: '{{group.response.body.uuid}}' },
    },
  },
  access: {
    'a group': {
      ...about(newGroup, ({ uuid }) => send('DELETE', `groups/${uuid}`)),
      cells: '401 403 403 404 403 403 403 403 403 204',
    },
  },
});
