import { app } from '@azure/functions';

app.http('twin', { route: 'one', handler: () => ({}) });
app.http('twin', { route: 'two', handler: () => ({}) });
