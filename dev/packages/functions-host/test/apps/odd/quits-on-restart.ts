// Loads once; what BROKEN_IF_EXISTS names makes it fail from then on.
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { app } from '@azure/functions';

if (existsSync(process.env.BROKEN_IF_EXISTS ?? '')) throw new Error('broken by the test');
app.http('pid', {
  handler: async (request) => {
    console.log('pid was called');
    await sleep(Number(request.query.get('ms') ?? 0));
    return { body: String(process.pid) };
  },
});
