import { v1MobileGetCase } from '../../../../../src/functions/v1/mobile/cases/get-case.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';

export const getCaseScenario = scenario({
  endpoint: v1MobileGetCase,
  as: 'newcomer',
  good: {
    own: {
      title: 'One’s own case',
      after: { draft: 'v1MobileCreateCase' },
      params: { uuid: '{{draft.response.body.uuid}}' },
    },
  },
  refusals: {
    unknown: { title: 'A case that does not exist', code: 'case_not_found', params: { uuid: unknownId } },
  },
});
