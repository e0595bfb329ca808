import { v1BackofficeNotifyPatient } from '../../../../../src/functions/v1/backoffice/annotations/notify-patient.ts';
import { closedCase, muted, repeatedThrice } from '../../../answered-cases.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';
import { caseParams, queuedCase } from '../../../staff-cases.ts';
import { caseRow } from '../../../access/case-rows.ts';
import { post } from '../../../access/rows.ts';

export const notifyPatientScenario = scenario({
  endpoint: v1BackofficeNotifyPatient,
  as: 'physician',
  good: {
    all: { title: 'By every channel that there is', ...closedCase, params: caseParams, json: {} },
    mail: { title: 'By mail', ...closedCase, params: caseParams, json: { channels: ['mail'] } },
  },
  mistakes: {
    channel: {
      title: 'A channel that does not exist',
      code: 'validation_error',
      pointers: ['/channels/0'],
      ...closedCase,
      params: caseParams,
      json: { channels: ['sms'] },
    },
  },
  refusals: {
    unknown: {
      title: 'A case that does not exist',
      code: 'case_not_found',
      params: { uuid: unknownId },
      json: {},
    },
    unanswered: {
      title: 'A case without an answer',
      code: 'nothing_to_publish',
      ...queuedCase,
      params: caseParams,
      json: {},
    },
    unwanted: {
      title: 'A patient who wants no messages',
      code: 'no_channel',
      ...closedCase,
      state: [...closedCase.state, muted],
      params: caseParams,
      json: {},
    },
    often: {
      title: 'A fourth time within a day',
      code: 'notified_recently',
      ...closedCase,
      state: [...closedCase.state, repeatedThrice],
      params: caseParams,
      json: {},
    },
  },
  access: {
    published: {
      ...caseRow('published', ({ uuid }) => post(`annotations/${uuid}/notify`, {})),
      cells: '401 403 404 404 202 202 404 404 202 202',
    },
  },
});
