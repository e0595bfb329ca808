import { watchQueue } from '../domain/cases/queue/watch-queue.ts';
import { everyMinute } from '../lib/timers/schedule.ts';
import { timer } from '../lib/timers/timer.ts';

/** Reports what waits for too long; its warnings raise alerts. */
export const watchQueueTimer = timer({
  name: 'watchQueue',
  schedule: everyMinute,
  summary: 'Report emergencies, overdue cases and messages that wait for too long',
  async run({ db, log, clock }) {
    return { ...(await watchQueue(db, log, clock.now())) };
  },
});
