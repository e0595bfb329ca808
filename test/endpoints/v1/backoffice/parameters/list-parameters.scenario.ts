import { v1BackofficeListParameters } from '../../../../../src/functions/v1/backoffice/parameters/list-parameters.ts';
import { scenario } from '../../../scenario.ts';
import { newParameters } from '../../../access/office-rows.ts';
import { about, get } from '../../../access/rows.ts';

export const listParametersScenario = scenario({
  endpoint: v1BackofficeListParameters,
  as: 'admin',
  good: {
    all: {
      title: 'Among all of them the rules of audits',
      query: { limit: '100' },
      shown: ({ items }: { items: { branch: string }[] }) => ({
        items: items.filter(({ branch }) => branch === 'audit'),
        next_cursor: null,
        count: null,
      }),
    },
  },
  mistakes: {
    limit: { title: 'A limit of 0', code: 'validation_error', pointers: ['/limit'], query: { limit: '0' } },
  },
  refusals: {
    cursor: { title: 'A cursor of another list', code: 'cursor_invalid', query: { cursor: 'abc' } },
  },
  access: {
    'own values': {
      ...about(
        newParameters,
        () => get('parameters?limit=100'),
        ({ name }) => [name],
      ),
      cells: '401 403 403 unseen 403 403 403 403 403 seen',
    },
  },
});
