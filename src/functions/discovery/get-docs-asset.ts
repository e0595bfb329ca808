import { z } from 'zod';
import { type DocsAsset, docsAssets, readDocsAsset } from '../../lib/http/docs-assets.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const getDocsAsset = endpoint({
  name: 'getDocsAsset',
  method: 'GET',
  route: 'api/docs/{file}',
  tag: 'Discovery',
  summary: 'A script or style sheet of the documentation page',
  auth: 'public',
  audit: 'none',
  params: z.object({ file: z.enum(docsAssets) }),
  reply: { status: 200, description: 'The file.', raw: 'text/plain' },
  problems: [],
  async handler({ params }) {
    const file: DocsAsset = params.file;
    return {
      body: await readDocsAsset(file),
      headers: {
        'content-type': `text/${file.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
        'cache-control': 'public, max-age=3600',
      },
    };
  },
});
