// Loads once; what BROKEN_IF_EXISTS names makes it fail from then on.
import { existsSync } from 'node:fs';
import { app } from '@azure/functions';

if (existsSync(process.env.BROKEN_IF_EXISTS ?? '')) throw new Error('broken by the test');
app.http('pid', { handler: () => ({ body: String(process.pid) }) });
