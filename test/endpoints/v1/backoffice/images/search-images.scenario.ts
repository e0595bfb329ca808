import { v1BackofficeSearchImages } from '../../../../../src/functions/v1/backoffice/images/search-images.ts';
import { scenario } from '../../../scenario.ts';
import { queuedCase } from '../../../staff-cases.ts';
import { get, itself, nothing } from '../../../access/rows.ts';

export const searchImagesScenario = scenario({
  endpoint: v1BackofficeSearchImages,
  as: 'physician',
  good: {
    known: {
      title: 'A photo of a case that waits',
      ...queuedCase,
      query: { hash: '{{case.response.body.images[0].sha256}}', limit: '1' },
    },
    unknown: { title: 'A photo that no case has', query: { hash: '0'.repeat(64) } },
  },
  mistakes: {
    hash: {
      title: 'A hash in base64',
      code: 'validation_error',
      pointers: ['/hash'],
      query: { hash: 'ryvb4aqbbsHi4a3WlPQfxxqDHQJo6YkVYhE9imKt0b8=' },
    },
  },
  access: {
    'in hand': {
      circumstance: 'photographed',
      make: async ({ photo: { uuid, sha256 } }) => ({ ...nothing, uuid, name: sha256 }),
      ask: ({ name }) => get(`images?hash=${name}`),
      shows: itself,
      cells: '401 403 unseen unseen seen seen unseen unseen unseen seen',
    },
  },
});
