import { v1BackofficeListAnnotations } from '../../../../../src/functions/v1/backoffice/annotations/list-annotations.ts';
import { answerParams, signed } from '../../../answers.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';

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
});
