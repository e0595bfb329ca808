import { app } from '@azure/functions';

app.http('slashed', { route: '/x/{y}', handler: (request) => ({ body: request.params.y ?? '' }) });
