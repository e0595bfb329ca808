import { remindAndExpire } from '../domain/cases/expiry/remind-and-expire.ts';
import { timer } from '../lib/timer.ts';

export const remindAndExpireTimer = timer({
  name: 'remindAndExpire',
  schedule: '0 5/15 * * * *',
  summary: 'Remind patients of questions, expire drafts and cases that wait for too long',
  async run(context) {
    return { ...(await remindAndExpire(context, context.clock.now())) };
  },
});
