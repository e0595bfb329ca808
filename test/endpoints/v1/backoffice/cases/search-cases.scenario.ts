import { v1BackofficeSearchCases } from '../../../../../src/functions/v1/backoffice/cases/search-cases.ts';
import { scenario } from '../../../scenario.ts';
import { queuedCase } from '../../../staff-cases.ts';
import { caseRow } from '../../../access/case-rows.ts';
import { itself, post } from '../../../access/rows.ts';
import type { Circumstance } from '../../../../support/access-stage.ts';

const search = (circumstance: Circumstance, filters: object = {}) =>
  caseRow(circumstance, ({ uuid }) => post('cases/search', { batch_uuid: uuid, ...filters }), itself);

/** The case of this scenario alone, whatever others have left. */
const ours = { created: { from: '{{case.response.body.created_at}}' } };
const first = { json: { ...ours, scope: 'queue', limit: 1 } };

/** As many namesakes as no search lists. */
const namesakes = [
  `INSERT INTO patients (uuid, tenant_id, relation, family_name)
   SELECT gen_random_uuid(), 1, 'other', 'Zzaarbu' FROM generate_series(1, 201)
   WHERE NOT EXISTS (SELECT FROM patient_name_keys WHERE key = 'zzaarbu')`,
  `INSERT INTO patient_name_keys (tenant_id, key, patient_id)
   SELECT 1, 'zzaarbu', id FROM patients WHERE family_name = 'Zzaarbu' ON CONFLICT DO NOTHING`,
];

export const searchCasesScenario = scenario({
  endpoint: v1BackofficeSearchCases,
  as: 'physician',
  good: {
    queue: {
      title: 'What waits in my lanes, the most overdue first',
      ...queuedCase,
      json: { ...ours, scope: 'queue', status: ['queued'], sort: 'due_at:asc', count: 'capped' },
    },
    patient: {
      title: 'The cases of a patient',
      ...queuedCase,
      json: { scope: 'patient', patient_uuid: '{{case.response.body.patient.uuid}}' },
    },
    nothing: {
      title: 'Nobody of that name',
      json: { patient_name: 'levi no', status: ['in_review', 'on_hold'], overdue: true },
    },
    everywhere: {
      title: 'Urgent cases of the tenant, for an admin',
      as: 'admin',
      ...queuedCase,
      json: { ...ours, scope: 'tenant', triage_level: ['emergency', 'urgent_24h'] },
    },
  },
  mistakes: {
    words: {
      title: 'A status, an order and a limit that do not exist',
      code: 'validation_error',
      pointers: ['/status/0', '/sort', '/limit'],
      json: { status: ['open'], sort: 'name:asc', limit: 1000 },
    },
    whose: {
      title: 'Cases of a patient whom no filter names',
      code: 'validation_error',
      pointers: ['/scope'],
      json: { scope: 'patient' },
    },
    names: {
      title: 'A name in the queue, which has none',
      code: 'validation_error',
      pointers: ['/scope'],
      json: { scope: 'queue', patient_name: 'levi' },
    },
    letters: {
      title: 'A name without a letter',
      code: 'validation_error',
      pointers: ['/patient_name'],
      json: { patient_name: '--' },
    },
  },
  refusals: {
    altered: {
      title: 'A cursor that is not of this search',
      code: 'cursor_invalid',
      json: { cursor: 'WyIyMDI2Il0.AAAAAAAAAAAAAAAAAAAAAA' },
    },
    others: {
      title: 'A cursor of other filters',
      code: 'cursor_invalid',
      after: {
        ...queuedCase.after,
        second: queuedCase.after.case,
        page: { operation: 'v1BackofficeSearchCases', ...first },
      },
      json: { ...first.json, status: ['queued'], cursor: '{{page.response.body.next_cursor}}' },
    },
    tenant: {
      title: 'Every case, for a physician',
      code: 'forbidden',
      json: { scope: 'tenant' },
    },
    broad: {
      title: 'A name that more than 200 patients have',
      code: 'search_too_broad',
      state: namesakes,
      json: { patient_name: 'zzaar' },
    },
  },
  access: {
    'in hand': { ...search('inHand'), cells: '401 403 unseen unseen seen seen unseen unseen unseen seen' },
    queued: { ...search('queued'), cells: '401 403 unseen unseen seen seen seen seen seen seen' },
    'mine, in hand': {
      ...search('inHand', { scope: 'mine' }),
      cells: '401 403 unseen unseen seen unseen unseen unseen unseen unseen',
    },
    'tenant, published': {
      ...search('published', { scope: 'tenant' }),
      cells: '401 403 403 unseen 403 403 403 403 403 seen',
    },
  },
});
