import { v1BackofficeTriggerEligibility } from '../../../../../src/functions/v1/backoffice/cases/trigger-eligibility.ts';
import { type Ask, scenario } from '../../../scenario.ts';
import { caseInHand, caseParams as params, queuedCase } from '../../../staff-cases.ts';
import { caseRow } from '../../../access/case-rows.ts';
import { post } from '../../../access/rows.ts';

const headers = { 'if-match': '{{case.response.headers.etag}}' };
const waiting = { ...queuedCase, params, headers } satisfies Ask;

export const triggerEligibilityScenario = scenario({
  endpoint: v1BackofficeTriggerEligibility,
  as: 'admin',
  good: {
    queued: { title: 'A case that waits, and may go on waiting', ...waiting, json: {} },
    ineligible: {
      title: 'A case that was not eligible',
      ...waiting,
      state: [
        `UPDATE request_records SET status = 'ineligible', eligibility_outcome = 'ineligible',
           eligibility_reasons = '{quota_exceeded}' WHERE uuid = '${params.uuid}'`,
      ],
      json: { reason: 'membership_changed' },
    },
  },
  mistakes: {
    reason: {
      title: 'A reason that there is not',
      code: 'validation_error',
      pointers: ['/reason'],
      ...waiting,
      json: { reason: 'please' },
    },
  },
  refusals: {
    conflict: {
      title: 'A case that a physician has in hand',
      code: 'case_state_conflict',
      ...caseInHand,
      params,
      headers,
      json: {},
    },
  },
  access: {
    queued: {
      ...caseRow('queued', ({ uuid }) => post(`cases/${uuid}/trigger-eligibility`, { version: 1 })),
      cells: '401 403 404 404 200 200 200 200 200 200',
    },
    'in hand': {
      ...caseRow('inHand', ({ uuid }) => post(`cases/${uuid}/trigger-eligibility`, { version: 1 })),
      cells: '401 403 404 404 state state 404 404 404 state',
    },
  },
});
