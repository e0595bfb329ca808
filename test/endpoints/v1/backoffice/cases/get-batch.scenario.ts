import { v1BackofficeGetBatch } from '../../../../../src/functions/v1/backoffice/cases/get-batch.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';
import { submittedCase } from '../../../staff-cases.ts';
import { caseRow } from '../../../access/case-rows.ts';
import { get } from '../../../access/rows.ts';
import type { Circumstance } from '../../../../support/access-stage.ts';

const batch = (circumstance: Circumstance) => caseRow(circumstance, ({ uuid }) => get(`cases/batch/${uuid}`));

const batchOfOne = {
  case: {
    ...submittedCase,
    json: {
      ...(submittedCase.json as object),
      batch: { client_batch_id: '{{$timestamp}}', expected_size: 2 },
    },
  },
};
const params = { uuid: '{{case.response.body.batch_uuid}}' };

export const getBatchScenario = scenario({
  endpoint: v1BackofficeGetBatch,
  as: 'physician',
  good: { begun: { title: 'A batch of which one case has come', after: batchOfOne, params } },
  mistakes: {
    limit: {
      title: 'A limit of 0',
      code: 'validation_error',
      pointers: ['/limit'],
      params: { uuid: unknownId },
      query: { limit: '0' },
    },
    cursor: {
      title: 'A cursor of another list',
      code: 'cursor_invalid',
      params: { uuid: unknownId },
      query: { cursor: 'WzEsMl0.AAAAAAAAAAAAAAAAAAAAAA' },
    },
  },
  access: {
    'in hand': { ...batch('inHand'), cells: '401 403 404 404 200 200 404 404 404 200' },
    queued: { ...batch('queued'), cells: '401 403 404 404 200 200 200 200 200 200' },
  },
});
