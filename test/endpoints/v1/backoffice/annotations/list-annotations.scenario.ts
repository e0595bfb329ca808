import { v1BackofficeListAnnotations } from '../../../../../src/functions/v1/backoffice/annotations/list-annotations.ts';
import { answerParams, signed } from '../../../answers.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';
import { caseRow } from '../../../access/case-rows.ts';
import { itself, post } from '../../../access/rows.ts';
import type { Circumstance } from '../../../../support/access-stage.ts';

const many = (circumstance: Circumstance) =>
  caseRow(circumstance, ({ uuid }) => post('annotations', { case_uuids: [uuid] }), itself);

export const listAnnotationsScenario = scenario({
  endpoint: v1BackofficeListAnnotations,
  as: 'physician',
  good: {
    two: {
      title: 'Of two cases, one of them unknown',
      ...signed,
      json: { case_uuids: [answerParams.uuid, unknownId] },
    },
    audits: {
      title: 'Audits only',
      ...signed,
      json: { case_uuids: [answerParams.uuid], kind: 'audit', status: ['final'] },
    },
  },
  mistakes: {
    uuid: {
      title: 'A number instead of a UUID',
      code: 'validation_error',
      pointers: ['/case_uuids/0'],
      json: { case_uuids: ['48213'] },
    },
  },
  access: {
    'in hand': { ...many('inHand'), cells: '401 403 unseen unseen seen seen unseen unseen unseen seen' },
    published: { ...many('published'), cells: '401 403 unseen unseen seen seen unseen unseen seen seen' },
  },
});
