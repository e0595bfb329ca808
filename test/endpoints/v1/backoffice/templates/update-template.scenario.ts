import { v1BackofficeUpdateTemplate } from '../../../../../src/functions/v1/backoffice/templates/update-template.ts';
import { scenario } from '../../../scenario.ts';
import { templateOf } from '../../../access/desk-rows.ts';
import { about, send } from '../../../access/rows.ts';

const created = {
  after: { template: 'v1BackofficeCreateTemplate' },
  params: { id: '{{template.response.body.id}}' },
  headers: { 'if-match': '{{template.response.headers.etag}}' },
};
const ofClinic = {
  ...created,
  after: {
    template: {
      operation: 'v1BackofficeCreateTemplate',
      as: 'admin' as const,
      json: {
        kind: 'message',
        scope: 'tenant',
        name: 'Reminder-{{$timestamp}}',
        bodies: { en: 'Dear {{ patient.display_name }}' },
      },
    },
  },
};

export const updateTemplateScenario = scenario({
  endpoint: v1BackofficeUpdateTemplate,
  as: 'physician',
  good: {
    body: {
      title: 'Another text, proposed first',
      ...created,
      json: { bodies: { en: 'It is {{ diagnosis.name }}, {{ today | date }}.' }, is_default: true },
    },
  },
  mistakes: {
    unclosed: {
      title: 'A placeholder that is not closed',
      code: 'template_invalid',
      pointers: ['/bodies/en'],
      ...created,
      json: { bodies: { en: 'It is {{ diagnosis.name' } },
    },
    placeholder: {
      title: 'A placeholder that does not exist',
      code: 'template_placeholder_unknown',
      pointers: ['/bodies/he'],
      ...created,
      json: { bodies: { he: '{{ diagnosis.title }}' } },
    },
  },
  refusals: {
    capability: {
      title: 'One of the clinic, without the capability',
      code: 'capability_required',
      ...ofClinic,
      json: { name: 'Mine-{{$timestamp}}' },
    },
    profile: {
      title: 'Taking one of the clinic, by an admin who is no physician',
      code: 'physician_profile_required',
      as: 'admin',
      ...ofClinic,
      json: { scope: 'physician' },
    },
    disease: {
      title: 'A disease that does not exist',
      code: 'disease_not_found',
      ...created,
      json: { disease_id: 999_999 },
    },
    taken: {
      title: 'The name of another one',
      code: 'name_taken',
      ...created,
      after: { other: 'v1BackofficeCreateTemplate', ...created.after },
      json: { name: '{{other.response.body.name}}' },
    },
  },
  access: {
    'of the holder': {
      ...about(templateOf('holder'), ({ name, version }) =>
        send('PATCH', `templates/${name}`, { version, bodies: { en: 'Other.' } }),
      ),
      cells: '401 403 404 404 200 404 404 404 404 404',
    },
    'of the clinic': {
      ...about(templateOf('clinic'), ({ name, version }) =>
        send('PATCH', `templates/${name}`, { version, bodies: { en: 'Other.' } }),
      ),
      cells: '401 403 404 404 capability capability capability 200 capability 200',
    },
    'own, given to the clinic': {
      ...about(templateOf('holder'), ({ name, version }) =>
        send('PATCH', `templates/${name}`, { version, scope: 'tenant' }),
      ),
      cells: '401 403 404 404 capability 404 404 404 404 404',
    },
  },
});
