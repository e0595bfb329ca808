import { z } from 'zod';
import { endpoint } from '../../lib/http/endpoint.ts';
import { readOpenApiDocument } from '../../lib/http/openapi-document.ts';

export const getOpenApiDocument = endpoint({
  name: 'getOpenApiDocument',
  method: 'GET',
  route: 'api/openapi.json',
  tag: 'Discovery',
  summary: 'Get this document: OpenAPI 3.1',
  description:
    'For client generators; the same for every caller. Compressed where `Accept-Encoding` allows it; answers ' +
    '`If-None-Match` with 304.',
  auth: 'public',
  audit: 'none',
  reads: ['if-none-match'],
  sends: ['ETag', 'Cache-Control'],
  reply: {
    status: 200,
    description: 'The OpenAPI document.',
    raw: 'application/json',
    rawSchema: z
      .record(z.string(), z.unknown())
      .meta({ id: 'OpenApiDocument', description: 'An OpenAPI 3.1 document.' }),
    alternatives: { 304: 'Unchanged since `If-None-Match`.' },
  },
  problems: [],
  async handler({ request }) {
    return await (await readOpenApiDocument()).reply(request, 'application/json');
  },
});
