// The app of answers.ts as a process of its own loads it, with what only a process can do.
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { app } from '@azure/functions';
import { registerAnswers } from './answers.ts';

if (existsSync(process.env.BROKEN_IF_EXISTS ?? '')) throw new Error('broken by the test');
registerAnswers(app);
app.http('pid', { route: 'pid', handler: () => ({ body: String(process.pid) }) });
app.http('exit', { route: 'exit', handler: () => process.exit(3) });
app.http('reject', {
  route: 'reject',
  handler: async () => {
    void Promise.reject(new Error('floating'));
    await sleep(5000);
    return {};
  },
});
app.hook.appTerminate(async () => {
  await sleep(Number(process.env.TERMINATE_MS ?? 0));
  console.log('appTerminate ran');
});
