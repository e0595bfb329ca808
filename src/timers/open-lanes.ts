import { openLanes } from '../domain/cases/queue/open-lanes.ts';
import { everyMinute } from '../lib/timers/schedule.ts';
import { timer } from '../lib/timers/timer.ts';

export const openLanesTimer = timer({
  name: 'openLanes',
  schedule: everyMinute,
  summary: 'Offer cases that have waited to more physicians',
  async run(context) {
    return { ...(await openLanes(context, context.clock.now())) };
  },
});
