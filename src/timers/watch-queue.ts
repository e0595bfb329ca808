import { watchQueue } from '../domain/cases/queue/watch-queue.ts';
import { timer } from '../lib/app/timer.ts';

/** Reports what waits for too long; its warnings raise alerts. */
export const watchQueueTimer = timer({
  name: 'watchQueue',
  schedule: '30 * * * * *',
  summary: 'Report emergencies, overdue cases and messages that wait for too long',
  async run({ db, log, clock }) {
    return { ...(await watchQueue(db, log, clock.now())) };
  },
});
