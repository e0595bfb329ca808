import { v1BackofficeCheckBatch } from '../../../../../src/functions/v1/backoffice/cases/check-batch.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';
import { caseInHand, queuedCase, emptyHanded } from '../../../staff-cases.ts';

const json = { case_uuids: ['{{case.response.body.uuid}}', unknownId] };

export const checkBatchScenario = scenario({
  endpoint: v1BackofficeCheckBatch,
  as: 'physician',
  good: {
    waiting: {
      title: 'A case that waits, and one that there is not',
      ...queuedCase,
      state: emptyHanded,
      json,
    },
    inHand: {
      title: 'A case in hand',
      ...caseInHand,
      json: { case_uuids: ['{{case.response.body.uuid}}'] },
    },
  },
  mistakes: {
    none: {
      title: 'No case, and no UUID',
      code: 'validation_error',
      pointers: ['/case_uuids/0'],
      json: { case_uuids: ['C-20417'] },
    },
  },
});
