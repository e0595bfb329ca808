import { v1BackofficeSetLanguage } from '../../../../src/functions/v1/backoffice/set-language.ts';
import { scenario } from '../../scenario.ts';
import { plain, post } from '../../access/rows.ts';

export const setLanguageScenario = scenario({
  endpoint: v1BackofficeSetLanguage,
  as: 'physician',
  good: { english: { title: 'English', json: { language: 'en' } } },
  mistakes: {
    language: {
      title: 'A language that does not exist',
      code: 'validation_error',
      pointers: ['/language'],
      json: { language: 'xx' },
    },
  },
  access: {
    own: {
      ...plain(() => post('set-language', { language: 'en' })),
      cells: '401 403 200 200 200 200 200 200 200 200',
    },
  },
});
