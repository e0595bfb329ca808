import { app } from '@azure/functions';

app.http('zz-all', {
  route: '{*path}',
  methods: ['GET', 'POST'],
  handler: (request) => ({ jsonBody: { params: request.params } }),
});
