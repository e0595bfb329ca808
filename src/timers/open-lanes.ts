import { openLanes } from '../domain/cases/queue/open-lanes.ts';
import { timer } from '../lib/app/timer.ts';

export const openLanesTimer = timer({
  name: 'openLanes',
  schedule: '40 * * * * *',
  summary: 'Offer cases that have waited to more physicians',
  async run(context) {
    return { ...(await openLanes(context, context.clock.now())) };
  },
});
