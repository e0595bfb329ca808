import { z } from 'zod';
import { endpoint } from '../../lib/http/endpoint.ts';

export const getOpenApiDocument = endpoint({
  name: 'getOpenApiDocument',
  method: 'GET',
  route: 'api/openapi.json',
  tag: 'Discovery',
  summary: 'This document: OpenAPI 3.1',
  description: 'What client generators read. The same for everybody; made once and kept.',
  auth: 'public',
  audit: 'none',
  reply: {
    status: 200,
    description: 'The OpenAPI document.',
    body: z
      .record(z.string(), z.unknown())
      .meta({ id: 'OpenApiDocument', description: 'An OpenAPI 3.1 document.' }),
  },
  problems: [],
  async handler({ openApiDocument }) {
    return await openApiDocument();
  },
});
