import { getOpenApiDocument } from '../../../src/functions/discovery/get-openapi-document.ts';
import { scenario } from '../scenario.ts';

export const getOpenApiDocumentScenario = scenario({
  endpoint: getOpenApiDocument,
  as: 'anonymous',
  good: {
    beginning: {
      title: 'How the document begins',
      shown: ({ openapi, info }: { openapi: string; info: { title: string; version: string } }) => ({
        openapi,
        info: { title: info.title, version: info.version },
        paths: {},
      }),
    },
  },
  never: {
    internal_error: 'It sends a file that was deployed with it.',
    unavailable: 'It asks no database.',
  },
});
