import { app } from '@azure/functions';
import type { Timer } from '@azure/functions';

const print = (name: string) => (timer: Timer) => console.log(`${name}: ${JSON.stringify(timer)}`);

app.timer('everySecond', { schedule: '* * * * * *', handler: print('everySecond') });
app.timer('everyTwoSeconds', { schedule: '00:00:02', handler: print('everyTwoSeconds') });
app.timer('nightly', { schedule: '%NIGHTLY%', handler: print('nightly') });
app.timer('atStart', { schedule: '0 0 0 1 1 *', runOnStartup: true, handler: print('atStart') });
app.timer('switchedOff', { schedule: '* * * * * *', handler: print('switchedOff') });
app.timer('fails', {
  schedule: '0 0 0 1 1 *',
  handler: () => {
    throw new Error('the nightly job is broken');
  },
});
app.http('hello', { handler: () => ({}) });
