import { reconcileImages } from '../domain/media/images/reconcile-images.ts';
import { timer } from '../lib/timer.ts';

/** At night: it lists every blob. */
export const reconcileImagesTimer = timer({
  name: 'reconcileImages',
  schedule: '0 15 2 * * *',
  summary: 'Remove what interrupted uploads left, find images whose blob is gone',
  async run({ db, blobs, log, clock }) {
    return { ...(await reconcileImages(db, blobs, log, clock.now())) };
  },
});
