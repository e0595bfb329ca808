import { v1BackofficeListGroups } from '../../../../../src/functions/v1/backoffice/groups/list-groups.ts';
import { scenario } from '../../../scenario.ts';
import { newGroup } from '../../../access/office-rows.ts';
import { about, get, itself } from '../../../access/rows.ts';

export const listGroupsScenario = scenario({
  endpoint: v1BackofficeListGroups,
  as: 'admin',
  good: {
    one: {
      title: 'One of them',
      after: { group: 'v1BackofficeCreateGroup' },
      query: { limit: '100' },
      shown: ({ items }: { items: { name: string }[] }) => ({
        items: items.filter(({ name }) => name.startsWith('Second')).slice(-1),
        next_cursor: null,
        count: null,
      }),
    },
  },
  mistakes: {
    limit: { title: 'A limit of 0', code: 'validation_error', pointers: ['/limit'], query: { limit: '0' } },
  },
  refusals: {
    cursor: { title: 'A cursor that was altered', code: 'cursor_invalid', query: { cursor: 'WyJhIl0.AAAA' } },
  },
  access: {
    'a group': {
      ...about(newGroup, () => get('groups?limit=100'), itself),
      cells: '401 403 403 unseen 403 403 403 403 403 seen',
    },
  },
});
