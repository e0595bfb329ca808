import { getDocsAsset } from '../../../src/functions/discovery/get-docs-asset.ts';
import { scenario } from '../scenario.ts';

export const getDocsAssetScenario = scenario({
  endpoint: getDocsAsset,
  as: 'anonymous',
  good: { style: { title: 'A style sheet of the page', params: { file: 'swagger-ui.css' } } },
  refusals: {
    other: { title: 'No other file is served', code: 'not_found', params: { file: 'package.json' } },
  },
  never: {
    internal_error: 'It sends a file that was deployed with it.',
    unavailable: 'It asks no database.',
  },
});
