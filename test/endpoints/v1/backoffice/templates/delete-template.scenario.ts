import { v1BackofficeDeleteTemplate } from '../../../../../src/functions/v1/backoffice/templates/delete-template.ts';
import { scenario } from '../../../scenario.ts';
import { templateOf } from '../../../access/desk-rows.ts';
import { about, send } from '../../../access/rows.ts';

const params = { id: '{{template.response.body.id}}' };

export const deleteTemplateScenario = scenario({
  endpoint: v1BackofficeDeleteTemplate,
  as: 'physician',
  good: {
    own: { title: 'My own', after: { template: 'v1BackofficeCreateTemplate' }, params },
  },
  refusals: {
    capability: {
      title: 'One of the clinic, without the capability',
      code: 'capability_required',
      after: {
        template: {
          operation: 'v1BackofficeCreateTemplate',
          as: 'admin',
          json: {
            kind: 'message',
            scope: 'tenant',
            name: 'Greeting-{{$timestamp}}',
            bodies: { en: 'Dear {{ patient.display_name }}' },
          },
        },
      },
      params,
    },
  },
  access: {
    'of the holder': {
      ...about(templateOf('holder'), ({ name }) => send('DELETE', `templates/${name}`)),
      cells: '401 403 404 404 204 404 404 404 404 404',
    },
    'of the clinic': {
      ...about(templateOf('clinic'), ({ name }) => send('DELETE', `templates/${name}`)),
      cells: '401 403 404 404 capability capability capability 204 capability 204',
    },
  },
});
