import { endVacations } from '../domain/cases/queue/end-vacations.ts';
import { timer } from '../lib/app/timer.ts';

export const endVacationsTimer = timer({
  name: 'endVacations',
  schedule: '50 * * * * *',
  summary: 'Offer cases again to physicians whose vacation has ended',
  async run(context) {
    return { ...(await endVacations(context, context.clock.now())) };
  },
});
