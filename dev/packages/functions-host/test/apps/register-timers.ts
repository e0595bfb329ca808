import type { app as AzureFunctions, Timer } from '@azure/functions';

export function registerTimers(functions: typeof AzureFunctions): void {
  functions.timer('everySecond', {
    schedule: '* * * * * *',
    handler: (timer: Timer, context) => context.log(`everySecond: ${JSON.stringify(timer)}`),
  });
  functions.timer('nightly', {
    schedule: '0 30 2 * * *',
    handler(timer: Timer, context) {
      context.log(`nightly: ${JSON.stringify(timer)}`);
      context.debug('a detail');
    },
  });
  functions.timer('fails', {
    schedule: '0 0 0 1 1 *',
    handler: () => {
      throw new Error('the nightly job is broken');
    },
  });
  functions.http('hello', { route: 'hello', handler: () => ({}) });
}
