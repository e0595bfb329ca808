import { v1FrontendDownloadResource } from '../../../../src/functions/v1/frontend/download-resource.ts';
import { scenario } from '../../scenario.ts';

interface BodyMap {
  version: string;
  regions: { places: object[] }[];
}

export const downloadResourceScenario = scenario({
  endpoint: v1FrontendDownloadResource,
  as: 'anonymous',
  good: {
    consent: { title: 'The consent, in Spanish', params: { name: 'consent' }, query: { lang: 'es' } },
    bodyMap: {
      title: 'The map of the body, its first place',
      params: { name: 'body-map.json' },
      shown: ({ version, regions: [first] }: BodyMap) => ({
        version,
        regions: first === undefined ? [] : [{ ...first, places: first.places.slice(0, 1) }],
      }),
    },
    unchanged: {
      title: 'Unchanged since it was read',
      after: {
        first: { operation: 'v1FrontendDownloadResource', params: { name: 'privacy' } },
      },
      params: { name: 'privacy' },
      headers: { 'if-none-match': '{{first.response.headers.etag}}' },
      status: 304,
    },
  },
  mistakes: {
    version: {
      title: 'A version that is none',
      code: 'validation_error',
      pointers: ['/version'],
      params: { name: 'consent' },
      query: { version: 'a b' },
    },
  },
  refusals: {
    unknown: {
      title: 'A version that was never published',
      code: 'resource_not_found',
      params: { name: 'consent' },
      query: { version: '0' },
    },
  },
  never: { rate_limited: 'is counted in the memory of an instance: test/functions/v1/configuration.test.ts' },
});
