import { v1BackofficeGetHistory } from '../../../../../src/functions/v1/backoffice/history/get-history.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';
import { caseInHand, queuedCase } from '../../../staff-cases.ts';
import { caseRow } from '../../../access/case-rows.ts';
import { get } from '../../../access/rows.ts';

const ofPatient = { user_identifier: '{{case.response.body.patient.uuid}}' };

export const getHistoryScenario = scenario({
  endpoint: v1BackofficeGetHistory,
  as: 'physician',
  good: {
    inHand: { title: 'Of a patient whose case I have in hand', ...caseInHand, params: ofPatient },
    reason: {
      title: 'Of any patient, for a reason',
      as: 'admin',
      ...queuedCase,
      params: ofPatient,
      query: { reason: 'support', limit: '10' },
    },
  },
  mistakes: {
    mail: {
      title: 'A mail address, which would stand in logs',
      code: 'validation_error',
      pointers: ['/user_identifier'],
      params: { user_identifier: 'noa@example.org' },
    },
    reason: {
      title: 'A reason that does not exist',
      code: 'validation_error',
      pointers: ['/reason'],
      params: { user_identifier: unknownId },
      query: { reason: 'curiosity' },
    },
  },
  refusals: {
    reason: {
      title: 'Of a patient whom I do not treat, without a reason',
      code: 'reason_required',
      ...queuedCase,
      params: ofPatient,
    },
    cursor: {
      title: 'A cursor of another list',
      code: 'cursor_invalid',
      ...caseInHand,
      params: ofPatient,
      query: { cursor: 'WyIyMDI2Il0.AAAAAAAAAAAAAAAAAAAAAA' },
    },
    unknown: {
      title: 'An id that the clinic has not given',
      code: 'patient_not_found',
      params: { user_identifier: 'M-0' },
    },
  },
  access: {
    'in hand': {
      ...caseRow('inHand', ({ uuid }) => get(`history/${uuid}`)),
      cells: '401 403 404 404 200 200 reason reason reason reason',
    },
    published: {
      ...caseRow('published', ({ uuid }) => get(`history/${uuid}`)),
      cells: '401 403 404 404 200 200 reason reason reason reason',
    },
    'with a reason': {
      ...caseRow('inHand', ({ uuid }) => get(`history/${uuid}?reason=treatment`)),
      cells: '401 403 404 404 200 200 200 200 200 200',
    },
    'of the caller’s own account': {
      ...caseRow('ofCaller', ({ uuid }) => get(`history/${uuid}?reason=treatment`)),
      cells: '401 403 404 404 404 404 404 404 404 404',
    },
  },
});
