import { remindAndExpire } from '../domain/cases/queue/remind-and-expire.ts';
import { timer } from '../lib/app/timer.ts';

export const remindAndExpireTimer = timer({
  name: 'remindAndExpire',
  schedule: '0 5/15 * * * *',
  summary: 'Remind patients of questions, expire drafts and cases that wait for too long',
  async run(context) {
    return { ...(await remindAndExpire(context, context.clock.now())) };
  },
});
