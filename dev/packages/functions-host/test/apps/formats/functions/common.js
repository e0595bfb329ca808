const { app } = require('@azure/functions');

app.http('common', { handler: () => ({ body: 'common' }) });
