import { endVacations } from '../domain/cases/queue/end-vacations.ts';
import { everyMinute } from '../lib/timers/schedule.ts';
import { timer } from '../lib/timers/timer.ts';

export const endVacationsTimer = timer({
  name: 'endVacations',
  schedule: everyMinute,
  summary: 'Offer cases again to physicians whose vacation has ended',
  async run(context) {
    return { ...(await endVacations(context, context.clock.now())) };
  },
});
