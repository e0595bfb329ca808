import { app } from '@azure/functions';

app.http('halfA', { handler: () => ({ body: 'a' }) });
