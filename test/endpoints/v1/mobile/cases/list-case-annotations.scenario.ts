import { v1MobileListCaseAnnotations } from '../../../../../src/functions/v1/mobile/cases/list-case-annotations.ts';
import { closedCase } from '../../../answered-cases.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';
import { caseParams } from '../../../staff-cases.ts';

export const listCaseAnnotationsScenario = scenario({
  endpoint: v1MobileListCaseAnnotations,
  as: 'newcomer',
  good: {
    published: { title: 'A published answer', ...closedCase, params: caseParams },
    none_yet: {
      title: 'No answer yet',
      after: { draft: 'v1MobileCreateCase' },
      params: { uuid: '{{draft.response.body.uuid}}' },
    },
  },
  refusals: {
    unknown: { title: 'A case that does not exist', code: 'case_not_found', params: { uuid: unknownId } },
  },
});
