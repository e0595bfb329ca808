import { app } from '@azure/functions';

app.http('halfB', { handler: () => ({ body: 'b' }) });
