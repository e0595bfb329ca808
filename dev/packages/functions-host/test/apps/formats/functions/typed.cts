const functions = require('@azure/functions') as { app: { http(name: string, options: object): void } };

functions.app.http('typed', { handler: () => ({ body: 'typed' }) });
