import { v1BackofficeChangePendingStatuses } from '../../../../../src/functions/v1/backoffice/cases/change-pending-statuses.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';
import { caseOnHold, caseParams } from '../../../staff-cases.ts';
import { caseRow } from '../../../access/case-rows.ts';
import { send } from '../../../access/rows.ts';

const pending = (pending_status: string | null) =>
  caseRow('onHold', ({ uuid }) =>
    send('PATCH', 'cases/changes-pending-status', {
      changes: [{ case_uuid: uuid, version: 1, pending_status }],
    }),
  );

const onHold = caseOnHold('technical');
const unaudited = 'Its events have names of their own.';

export const changePendingStatusesScenario = scenario({
  endpoint: v1BackofficeChangePendingStatuses,
  as: 'physician',
  good: {
    mixed: {
      title: 'One case that waits for a result now, and one that there is not',
      ...onHold,
      json: {
        changes: [
          { case_uuid: caseParams.uuid, version: 4, pending_status: 'awaiting_result' },
          { case_uuid: unknownId, version: 1, pending_status: null },
        ],
      },
      unaudited,
    },
  },
  mistakes: {
    message: {
      title: 'A message that no patient gets',
      code: 'validation_error',
      pointers: ['/changes/0/message'],
      json: {
        changes: [{ case_uuid: unknownId, version: 1, pending_status: 'technical', message: 'Please wait.' }],
      },
    },
  },
  refusals: {
    key: {
      title: 'Other changes with the same Idempotency-Key',
      code: 'idempotency_key_reused',
      after: {
        first: {
          operation: 'v1BackofficeChangePendingStatuses',
          headers: { 'idempotency-key': 'one-key-for-two-lists' },
          json: { changes: [{ case_uuid: unknownId, version: 1, pending_status: null }] },
        },
      },
      headers: { 'idempotency-key': 'one-key-for-two-lists' },
      json: { changes: [{ case_uuid: unknownId, version: 2, pending_status: null }] },
    },
  },
  access: {
    'another status, on hold': {
      ...pending('technical'),
      cells: '401 403 -404 -404 done -state -404 -404 -404 done',
    },
    'end of the hold': { ...pending(null), cells: '401 403 -404 -404 done done -404 -404 -404 done' },
  },
});
