import { v1BackofficeNotifyPatients } from '../../../../../src/functions/v1/backoffice/cases/notify-patients.ts';
import { answeredCase, closedCase } from '../../../answered-cases.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';
import { queuedCase } from '../../../staff-cases.ts';
import { caseRow } from '../../../access/case-rows.ts';
import { send } from '../../../access/rows.ts';
import type { Circumstance } from '../../../../support/access-stage.ts';

const notify = (circumstance: Circumstance) =>
  caseRow(circumstance, ({ uuid }) => send('PATCH', 'cases/notify-patient', { case_uuids: [uuid] }));

const uuid = '{{case.response.body.uuid}}';
const key = (name: string) => ({ 'idempotency-key': `${name}-{{$timestamp}}` });

export const notifyPatientsScenario = scenario({
  endpoint: v1BackofficeNotifyPatients,
  as: 'physician',
  good: {
    again: {
      title: 'An answer that is published: again',
      ...closedCase,
      headers: key('again'),
      json: { case_uuids: [uuid, unknownId], channels: ['mail'] },
    },
    at_once: {
      title: 'An answer that is signed: at once',
      ...answeredCase,
      headers: key('at-once'),
      json: { case_uuids: [uuid] },
    },
    unanswered: {
      title: 'A case without an answer',
      ...queuedCase,
      json: { case_uuids: [uuid] },
    },
  },
  mistakes: {
    none: {
      title: 'No case',
      code: 'validation_error',
      pointers: ['/case_uuids'],
      json: { case_uuids: [] },
    },
  },
  refusals: {
    reused: {
      title: 'The same key for other cases',
      code: 'idempotency_key_reused',
      after: {
        first: {
          operation: 'v1BackofficeNotifyPatients',
          headers: { 'idempotency-key': 'other-cases-1' },
          json: { case_uuids: [unknownId] },
        },
      },
      headers: { 'idempotency-key': 'other-cases-1' },
      json: { case_uuids: [unknownId, unknownId] },
    },
  },
  unauditedRefusal: 'only a body that is not understood is refused',
  access: {
    answered: { ...notify('answered'), cells: '401 403 -404 -404 done done -404 -404 done done' },
    'in hand': {
      ...notify('inHand'),
      cells: '401 403 -404 -404 -nothing_to_publish -nothing_to_publish -404 -404 -404 -nothing_to_publish',
    },
  },
});
