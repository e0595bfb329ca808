import { app } from '@azure/functions';

app.http('modern', { handler: async () => ({ body: 'modern' }) });
