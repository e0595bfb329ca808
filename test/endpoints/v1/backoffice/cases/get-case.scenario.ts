import { v1BackofficeGetCase } from '../../../../../src/functions/v1/backoffice/cases/get-case.ts';
import { scenario } from '../../../scenario.ts';
import { caseInHand, caseParams, queuedCase } from '../../../staff-cases.ts';

export const getCaseScenario = scenario({
  endpoint: v1BackofficeGetCase,
  as: 'physician',
  good: {
    inHand: { title: 'The case in hand', ...caseInHand, params: caseParams },
    waiting: { title: 'A case that waits, for an admin', as: 'admin', ...queuedCase, params: caseParams },
  },
});
