import { v1BackofficeListPhysicianTemplates } from '../../../../../src/functions/v1/backoffice/templates/list-physician-templates.ts';
import { scenario } from '../../../scenario.ts';
import { holderProfile, templateOf } from '../../../access/desk-rows.ts';
import { get, itself, plain } from '../../../access/rows.ts';

/** What other requests have stored is withdrawn. */
const state = [
  `UPDATE report_templates SET deleted_at = now() WHERE id <> (SELECT max(id) FROM report_templates)`,
];
const me = { params: { email: 'me' } };

export const listPhysicianTemplatesScenario = scenario({
  endpoint: v1BackofficeListPhysicianTemplates,
  as: 'admin',
  good: {
    by_admin: {
      title: 'Those of a physician, for an admin',
      after: {
        template: {
          operation: 'v1BackofficeCreateTemplate',
          as: 'physician',
          json: {
            kind: 'message',
            scope: 'physician',
            name: 'Greeting-{{$timestamp}}',
            bodies: { en: 'Dear {{ patient.display_name }}' },
          },
        },
      },
      state,
      params: { email: 'physician@dermagate.example' },
    },
    own: {
      title: 'My own',
      as: 'physician',
      after: { template: 'v1BackofficeCreateTemplate' },
      state,
      ...me,
    },
  },
  mistakes: {
    lang: {
      title: 'A language that does not exist',
      code: 'validation_error',
      pointers: ['/lang'],
      ...me,
      query: { lang: 'xx' },
    },
  },
  refusals: {
    other: {
      title: 'Those of a colleague',
      code: 'forbidden',
      as: 'physician',
      params: { email: 'admin@dermagate.example' },
    },
    unknown: {
      title: 'A physician who does not exist',
      code: 'physician_not_found',
      params: { email: 'nowhere@example.org' },
    },
    cursor: {
      title: 'A cursor of another list',
      code: 'cursor_invalid',
      as: 'physician',
      after: {
        first: 'v1BackofficeCreateTemplate',
        second: 'v1BackofficeCreateTemplate',
        page: { operation: 'v1BackofficeListTemplates', query: { scope: 'physician', limit: '1' } },
      },
      ...me,
      query: { limit: '1', cursor: '{{page.response.body.next_cursor}}' },
    },
  },
  access: {
    'of the holder': {
      make: async (stage) => ({
        ...(await templateOf('holder')(stage)),
        name: (await holderProfile(stage)).name,
      }),
      ask: ({ name }) => get(`templates/doctor/${encodeURIComponent(name)}?limit=100`),
      shows: itself,
      cells: '401 403 403 404 seen 403 403 403 403 seen',
    },
    me: { ...plain(() => get('templates/doctor/me')), cells: '401 403 200 404 200 200 200 200 200 404' },
  },
});
