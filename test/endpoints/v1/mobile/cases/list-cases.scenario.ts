import { v1MobileListCases } from '../../../../../src/functions/v1/mobile/cases/list-cases.ts';
import { scenario } from '../../../scenario.ts';

export const listCasesScenario = scenario({
  endpoint: v1MobileListCases,
  as: 'newcomer',
  good: {
    page: { title: 'One case', after: { draft: 'v1MobileCreateCase' }, query: { limit: '10' } },
    summary: {
      title: 'The same for a list on a screen',
      after: { draft: 'v1MobileCreateCase' },
      query: { view: 'summary' },
    },
  },
  mistakes: {
    limit: { title: 'A limit of 0', code: 'validation_error', pointers: ['/limit'], query: { limit: '0' } },
    view: {
      title: 'A view that does not exist',
      code: 'validation_error',
      pointers: ['/view'],
      query: { view: 'short' },
    },
    cursor: { title: 'A cursor of another list', code: 'cursor_invalid', query: { cursor: 'abc' } },
  },
});
