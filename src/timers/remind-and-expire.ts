import { remindAndExpire } from '../domain/cases/queue/remind-and-expire.ts';
import { quarterHourlyAt } from '../lib/timers/schedule.ts';
import { timer } from '../lib/timers/timer.ts';

export const remindAndExpireTimer = timer({
  name: 'remindAndExpire',
  schedule: quarterHourlyAt(5),
  summary: 'Remind patients of questions, expire drafts and cases that wait for too long',
  async run(context) {
    return { ...(await remindAndExpire(context, context.clock.now())) };
  },
});
