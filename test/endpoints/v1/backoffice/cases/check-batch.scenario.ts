import { v1BackofficeCheckBatch } from '../../../../../src/functions/v1/backoffice/cases/check-batch.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';
import { caseInHand, queuedCase, emptyHanded } from '../../../staff-cases.ts';
import { caseRow } from '../../../access/case-rows.ts';
import { post } from '../../../access/rows.ts';
import type { Circumstance } from '../../../../support/access-stage.ts';

const check = (circumstance: Circumstance) =>
  caseRow(
    circumstance,
    ({ uuid }) => post('cases/check-batch', { case_uuids: [uuid] }),
    () => ['"found":true'],
  );

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
  access: {
    'in hand': { ...check('inHand'), cells: '401 403 unseen unseen seen seen unseen unseen unseen seen' },
    queued: { ...check('queued'), cells: '401 403 unseen unseen seen seen seen seen seen seen' },
  },
});
