import { v1BackofficeGetAnnotations } from '../../../../../src/functions/v1/backoffice/annotations/get-annotations.ts';
import { answerParams, drafted, published } from '../../../answers.ts';
import { scenario } from '../../../scenario.ts';

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
});
