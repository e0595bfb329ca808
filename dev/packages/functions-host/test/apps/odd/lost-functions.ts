import { app } from '@azure/functions';

app.http('fine', { handler: () => ({ body: 'fine' }) });
app.http('reserved', { route: 'administrators', handler: () => ({}) });
app.http('1bad', { route: 'bad-name', handler: () => ({}) });
app.http('Host', { route: 'host-name', handler: () => ({}) });
