import { v1BackofficeReplaceParameters } from '../../../../../src/functions/v1/backoffice/parameters/replace-parameters.ts';
import { scenario } from '../../../scenario.ts';
import { newParameters } from '../../../access/office-rows.ts';
import { about, send } from '../../../access/rows.ts';

// Names that nothing else reads, and what the platform says already: other scenarios go on as before.
const sla = {
  after: {
    hours: { operation: 'v1BackofficeGetParameters', params: { branch: 'queue', sub_branch: 'sla_hours' } },
  },
  params: { branch: 'queue', sub_branch: 'sla_hours' },
  headers: { 'if-match': '{{hours.response.headers.etag}}' },
};

export const replaceParametersScenario = scenario({
  endpoint: v1BackofficeReplaceParameters,
  as: 'admin',
  good: {
    routine: { title: 'Routine cases within five days', ...sla, json: { values: { routine: 120 } } },
    none: { title: 'As the platform has it', ...sla, json: { values: {} } },
    own: {
      title: 'What only an app knows',
      params: { branch: 'app-{{$timestamp}}', sub_branch: 'screens' },
      json: { values: { colour: 'blue' }, visibility: 'public', version: 1 },
    },
  },
  mistakes: {
    hours: {
      title: 'Hours below zero, and a key that does not exist',
      code: 'validation_error',
      pointers: ['/values/routine', '/values/lunch'],
      ...sla,
      json: { values: { routine: -1, lunch: 1 } },
    },
    visibility: {
      title: 'Rules of the service for everyone to read',
      code: 'validation_error',
      pointers: ['/visibility'],
      ...sla,
      json: { values: {}, visibility: 'public' },
    },
  },
  refusals: {
    misspelt: {
      title: 'A name that the service does not have',
      code: 'parameters_not_found',
      params: { branch: 'queue', sub_branch: 'rule' },
      json: { values: {}, version: 1 },
    },
  },
  access: {
    // The same name is another tenant's as well, with values of its own.
    'own values': {
      ...about(newParameters, ({ name, version }, { isAbroad }) =>
        send('PUT', `parameters/access/${name}`, { values: { x: 2 }, version: isAbroad ? 1 : version }),
      ),
      cells: '401 403 403 200 403 403 403 403 403 200',
    },
  },
});
