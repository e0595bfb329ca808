import { v1BackofficeGetCase } from '../../../../../src/functions/v1/backoffice/cases/get-case.ts';
import { scenario } from '../../../scenario.ts';
import { caseInHand, caseParams, queuedCase } from '../../../staff-cases.ts';
import { caseRow } from '../../../access/case-rows.ts';
import { get } from '../../../access/rows.ts';
import type { Circumstance } from '../../../../support/access-stage.ts';

const read = (circumstance: Circumstance) => caseRow(circumstance, ({ uuid }) => get(`cases/${uuid}`));

export const getCaseScenario = scenario({
  endpoint: v1BackofficeGetCase,
  as: 'physician',
  good: {
    inHand: { title: 'The case in hand', ...caseInHand, params: caseParams },
    waiting: { title: 'A case that waits, for an admin', as: 'admin', ...queuedCase, params: caseParams },
  },
  access: {
    'in hand': { ...read('inHand'), cells: '401 403 404 404 200 200 404 404 404 200' },
    'queued in the lanes of all': { ...read('queued'), cells: '401 403 404 404 200 200 200 200 200 200' },
    'queued in another language': { ...read('elsewhere'), cells: '401 403 404 404 404 200 404 404 404 200' },
    answered: { ...read('answered'), cells: '401 403 404 404 200 200 404 404 200 200' },
    published: { ...read('published'), cells: '401 403 404 404 200 200 404 404 200 200' },
    'drafted by its patient': { ...read('draftOfPatient'), cells: '401 403 404 404 404 404 404 404 404 404' },
    'of an account of the caller’s own': {
      ...read('ofCaller'),
      cells: '401 403 404 404 404 404 404 404 404 404',
    },
  },
});
