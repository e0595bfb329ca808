import { v1BackofficeDeleteTemplate } from '../../../../../src/functions/v1/backoffice/templates/delete-template.ts';
import { scenario } from '../../../scenario.ts';

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
});
