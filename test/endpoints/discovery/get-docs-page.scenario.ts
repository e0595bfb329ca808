import { getDocsPage } from '../../../src/functions/discovery/get-docs-page.ts';
import { scenario } from '../scenario.ts';

export const getDocsPageScenario = scenario({
  endpoint: getDocsPage,
  as: 'anonymous',
  good: { page: { title: 'A page that sends requests' } },
  never: {
    internal_error: 'It sends a constant.',
    unavailable: 'It asks no database.',
  },
});
