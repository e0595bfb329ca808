import { v1BackofficeListDiseases } from '../../../../../src/functions/v1/backoffice/diseases/list-diseases.ts';
import { scenario } from '../../../scenario.ts';
import { get, plain } from '../../../access/rows.ts';

const own = { params: { vendor: 'dermagate' } };

export const listDiseasesScenario = scenario({
  endpoint: v1BackofficeListDiseases,
  as: 'physician',
  good: {
    search: { title: 'What begins with “psor”, in Spanish', ...own, query: { q: 'psor', lang: 'es' } },
    code: { title: 'By a code of ICD-10', ...own, query: { q: 'L20' } },
  },
  mistakes: {
    since: {
      title: 'A time that is none',
      code: 'validation_error',
      pointers: ['/updated_since'],
      ...own,
      query: { updated_since: 'yesterday' },
    },
  },
  refusals: {
    vendor: {
      title: 'A list that the clinic does not have',
      code: 'vendor_not_found',
      params: { vendor: 'nowhere' },
    },
    cursor: {
      title: 'A cursor with other words',
      code: 'cursor_invalid',
      after: { page: { operation: 'v1BackofficeListDiseases', ...own, query: { limit: '1' } } },
      ...own,
      query: { limit: '1', q: 'acne', cursor: '{{page.response.body.next_cursor}}' },
    },
  },
  access: {
    'own catalogue': {
      ...plain(() => get('diseases/dermagate?limit=1')),
      cells: '401 403 200 200 200 200 200 200 200 200',
    },
  },
});
