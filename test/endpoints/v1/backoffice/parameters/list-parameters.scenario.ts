import { v1BackofficeListParameters } from '../../../../../src/functions/v1/backoffice/parameters/list-parameters.ts';
import { scenario } from '../../../scenario.ts';

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
});
