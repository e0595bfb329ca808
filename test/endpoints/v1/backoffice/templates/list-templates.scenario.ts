import { v1BackofficeListTemplates } from '../../../../../src/functions/v1/backoffice/templates/list-templates.ts';
import { scenario } from '../../../scenario.ts';
import { templateOf } from '../../../access/desk-rows.ts';
import { about, get, itself } from '../../../access/rows.ts';

/** What other requests have stored is withdrawn. */
const state = [
  `UPDATE report_templates SET deleted_at = now() WHERE id <> (SELECT max(id) FROM report_templates)`,
];
const stored = { after: { template: 'v1BackofficeCreateTemplate' }, state };
const twice = { first: 'v1BackofficeCreateTemplate', second: 'v1BackofficeCreateTemplate' };

export const listTemplatesScenario = scenario({
  endpoint: v1BackofficeListTemplates,
  as: 'physician',
  good: {
    own: { title: 'My own in English', ...stored, query: { scope: 'physician', lang: 'en' } },
    all: {
      title: 'For answers, mine and those of the clinic',
      ...stored,
      query: { kind: 'diagnosis_text' },
    },
  },
  mistakes: {
    scope: {
      title: 'A scope that does not exist',
      code: 'validation_error',
      pointers: ['/scope'],
      query: { scope: 'world' },
    },
  },
  refusals: {
    cursor: {
      title: 'A cursor with another filter',
      code: 'cursor_invalid',
      after: {
        ...twice,
        page: { operation: 'v1BackofficeListTemplates', query: { scope: 'physician', limit: '1' } },
      },
      query: { limit: '1', cursor: '{{page.response.body.next_cursor}}' },
    },
  },
  access: {
    'of the holder': {
      ...about(templateOf('holder'), () => get('templates?limit=100'), itself),
      cells: '401 403 unseen unseen seen unseen unseen unseen unseen unseen',
    },
    'of the clinic': {
      ...about(templateOf('clinic'), () => get('templates?limit=100'), itself),
      cells: '401 403 unseen unseen seen seen seen seen seen seen',
    },
  },
});
