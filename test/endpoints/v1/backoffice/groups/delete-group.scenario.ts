import { v1BackofficeDeleteGroup } from '../../../../../src/functions/v1/backoffice/groups/delete-group.ts';
import { scenario } from '../../../scenario.ts';

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
});
