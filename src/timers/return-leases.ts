import { returnLeases } from '../domain/cases/queue/return-leases.ts';
import { everyMinute } from '../lib/timers/schedule.ts';
import { timer } from '../lib/timers/timer.ts';

export const returnLeasesTimer = timer({
  name: 'returnLeases',
  schedule: everyMinute,
  summary: 'Take back cases whose leases have run out',
  async run(context) {
    return { ...(await returnLeases(context, context.clock.now())) };
  },
});
