import { app } from '@azure/functions';

app.http('fine', { handler: () => ({}) });
console.log('a last line of the app');
throw new Error('the setting SECRET is missing');
