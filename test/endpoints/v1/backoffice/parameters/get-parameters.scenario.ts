import { v1BackofficeGetParameters } from '../../../../../src/functions/v1/backoffice/parameters/get-parameters.ts';
import { scenario } from '../../../scenario.ts';
import { newParameters } from '../../../access/office-rows.ts';
import { about, get } from '../../../access/rows.ts';

export const getParametersScenario = scenario({
  endpoint: v1BackofficeGetParameters,
  as: 'admin',
  good: {
    rules: { title: 'How long answers are kept', params: { branch: 'retention', sub_branch: 'rules' } },
  },
  access: {
    'own values': {
      ...about(newParameters, ({ name }) => get(`parameters/access/${name}`)),
      cells: '401 403 403 404 403 403 403 403 403 200',
    },
  },
});
