import { app } from '@azure/functions';

app.timer('never', { schedule: 'every day', handler: () => {} });
