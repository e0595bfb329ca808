import { app } from '@azure/functions';

app.http('fine', { handler: () => ({}) });
app.http('broken', { route: 'items/{id:nosuch}', handler: () => ({}) });
