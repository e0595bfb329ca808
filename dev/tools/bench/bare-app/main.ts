// A minimal app on @azure/functions: the yardstick of the benchmarks.
import { app } from '@azure/functions';

app.http('bare', {
  methods: ['GET'],
  route: 'bare',
  authLevel: 'anonymous',
  handler: async () => ({ jsonBody: { status: 'healthy' } }),
});

app.http('bareUpload', {
  methods: ['POST'],
  route: 'bare',
  authLevel: 'anonymous',
  handler: async (request) => ({ jsonBody: { bytes: (await request.arrayBuffer()).byteLength } }),
});

app.http('bareJson', {
  methods: ['POST'],
  route: 'bare/json',
  authLevel: 'anonymous',
  handler: async (request) => ({
    jsonBody: { keys: Object.keys(JSON.parse(await request.text()) as object) },
  }),
});
