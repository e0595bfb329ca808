import { v1BackofficeGetParameters } from '../../../../../src/functions/v1/backoffice/parameters/get-parameters.ts';
import { scenario } from '../../../scenario.ts';

export const getParametersScenario = scenario({
  endpoint: v1BackofficeGetParameters,
  as: 'admin',
  good: {
    rules: { title: 'How long answers are kept', params: { branch: 'retention', sub_branch: 'rules' } },
  },
});
