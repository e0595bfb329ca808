import { app } from '@azure/functions';

setInterval(() => {}, 1000);
app.http('busy', { handler: () => ({}) });
