import { returnLeases } from '../domain/cases/queue/return-leases.ts';
import { timer } from '../lib/app/timer.ts';

export const returnLeasesTimer = timer({
  name: 'returnLeases',
  schedule: '20 * * * * *',
  summary: 'Take back cases whose leases have run out',
  async run(context) {
    return { ...(await returnLeases(context, context.clock.now())) };
  },
});
