import { app } from '@azure/functions';

app.http('hello', { route: 'hello', methods: ['GET'], handler: () => ({ jsonBody: { hello: 'world' } }) });
app.http('echo', {
  route: 'echo',
  handler: async (request) => ({ body: Buffer.from(await request.arrayBuffer()) }),
});
