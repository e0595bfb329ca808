import { v1BackofficeListDiseaseTemplates } from '../../../../../src/functions/v1/backoffice/templates/list-disease-templates.ts';
import { scenario } from '../../../scenario.ts';
import { templateOf } from '../../../access/desk-rows.ts';
import { about, get, itself } from '../../../access/rows.ts';

/** What other requests have stored is withdrawn. */
const state = [
  `UPDATE report_templates SET deleted_at = now() WHERE id <> (SELECT max(id) FROM report_templates)`,
];

export const listDiseaseTemplatesScenario = scenario({
  endpoint: v1BackofficeListDiseaseTemplates,
  as: 'physician',
  good: {
    eczema: {
      title: 'For atopic eczema',
      after: { own: 'v1BackofficeCreateTemplate' },
      state,
      params: { diseaseId: '1' },
    },
  },
  mistakes: {
    lang: {
      title: 'A language that does not exist',
      code: 'validation_error',
      pointers: ['/lang'],
      params: { diseaseId: '1' },
      query: { lang: 'xx' },
    },
  },
  refusals: {
    disease: {
      title: 'A disease that does not exist',
      code: 'disease_not_found',
      params: { diseaseId: '999999' },
    },
    cursor: {
      title: 'A cursor of another disease',
      code: 'cursor_invalid',
      after: {
        first: 'v1BackofficeCreateTemplate',
        second: 'v1BackofficeCreateTemplate',
        page: {
          operation: 'v1BackofficeListDiseaseTemplates',
          params: { diseaseId: '1' },
          query: { limit: '1' },
        },
      },
      params: { diseaseId: '2' },
      query: { limit: '1', cursor: '{{page.response.body.next_cursor}}' },
    },
  },
  access: {
    'of the holder': {
      ...about(templateOf('holder'), () => get('templates/disease/1?limit=100'), itself),
      cells: '401 403 unseen unseen seen unseen unseen unseen unseen unseen',
    },
    'of the clinic': {
      ...about(templateOf('clinic'), () => get('templates/disease/1?limit=100'), itself),
      cells: '401 403 unseen unseen seen seen seen seen seen seen',
    },
  },
});
