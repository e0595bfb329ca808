import { reconcileImages } from '../domain/media/images/reconcile-images.ts';
import { timer } from '../lib/app/timer.ts';

/** Runs at night, because it lists every blob. */
export const reconcileImagesTimer = timer({
  name: 'reconcileImages',
  schedule: '0 15 2 * * *',
  summary: 'Remove blobs of interrupted uploads, report images whose blob is missing',
  async run({ db, blobs, log, clock }) {
    return { ...(await reconcileImages(db, blobs, log, clock.now())) };
  },
});
