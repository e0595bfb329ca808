import { v1BackofficeGetAnnotations } from '../../../../../src/functions/v1/backoffice/annotations/get-annotations.ts';
import { answerParams, drafted, published } from '../../../answers.ts';
import { scenario } from '../../../scenario.ts';
import { caseRow } from '../../../access/case-rows.ts';
import { type Row, get } from '../../../access/rows.ts';
import type { Circumstance } from '../../../../support/access-stage.ts';

const annotations = (circumstance: Circumstance, shows?: Row['shows']) =>
  caseRow(circumstance, ({ uuid }) => get(`annotations/${uuid}`), shows);

export const getAnnotationsScenario = scenario({
  endpoint: v1BackofficeGetAnnotations,
  as: 'physician',
  good: {
    published: { title: 'A published answer', ...published, params: answerParams },
    draft: { title: 'The own draft', ...drafted, params: answerParams, query: { kind: 'dermatologist' } },
  },
  mistakes: {
    kind: {
      title: 'A kind that there is not',
      code: 'validation_error',
      pointers: ['/kind'],
      ...drafted,
      params: answerParams,
      query: { kind: 'review' },
    },
  },
  access: {
    'in hand': { ...annotations('inHand'), cells: '401 403 404 404 200 200 404 404 404 200' },
    'the holder’s draft': {
      ...annotations('draft', () => ['"status":"draft"']),
      cells: '401 403 404 404 seen unseen 404 404 404 unseen',
    },
    'an audit, signed': {
      ...annotations('audited', () => ['"kind":"audit"']),
      cells: '401 403 404 404 seen unseen 404 404 seen seen',
    },
    'an audit, drafted by the auditor': {
      ...annotations('auditDraft', () => ['"kind":"audit"']),
      cells: '401 403 404 404 unseen unseen 404 404 seen unseen',
    },
    'an audit, drafted by another': {
      ...annotations('auditDraftOfOther', () => ['"kind":"audit"']),
      cells: '401 403 404 404 unseen unseen 404 404 unseen unseen',
    },
  },
});
