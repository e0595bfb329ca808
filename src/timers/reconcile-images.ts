import { reconcileImages } from '../domain/media/images/reconcile-images.ts';
import { dailyAt } from '../lib/timers/schedule.ts';
import { timer } from '../lib/timers/timer.ts';

/** At night, when nobody waits for the database. */
export const reconcileImagesTimer = timer({
  name: 'reconcileImages',
  schedule: dailyAt(2, 15),
  summary: 'Remove blobs of interrupted uploads, report images whose blob is missing',
  // It lists every blob, and asks the database for each page of them.
  deadlineMs: 60 * 60_000,
  async run({ db, blobs, log, clock }) {
    return { ...(await reconcileImages(db, blobs, log, clock.now())) };
  },
});
