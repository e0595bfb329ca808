import { z } from 'zod';
import { docsAssets, readDocsAsset } from '../../lib/http/docs-assets.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const getDocsAsset = endpoint({
  name: 'getDocsAsset',
  method: 'GET',
  route: 'api/docs/{file}',
  tag: 'Discovery',
  summary: 'Get a script or style sheet of the documentation page',
  description:
    'Loaded by the page. Compressed where `Accept-Encoding` allows it; answers `If-None-Match` with 304.',
  auth: 'public',
  audit: 'none',
  params: z.object({
    file: z.enum(docsAssets).meta({ id: 'DocsFile', description: 'Name of the file.' }),
  }),
  reads: ['if-none-match'],
  sends: ['ETag', 'Cache-Control'],
  reply: {
    status: 200,
    description: 'The file.',
    raw: 'text/javascript',
    otherTypes: ['text/css'],
    alternatives: { 304: 'Unchanged since `If-None-Match`.' },
  },
  problems: [],
  async handler({ params, request }) {
    const file = await readDocsAsset(params.file);
    const type = params.file.endsWith('.css') ? 'css' : 'javascript';
    return await file.reply(request, `text/${type}; charset=utf-8`);
  },
});
