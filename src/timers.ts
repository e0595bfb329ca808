import type { Timer } from './lib/timer.ts';
import { drainOutbox } from './timers/drain-outbox.ts';
import { reconcileImagesTimer } from './timers/reconcile-images.ts';

/** Every timer of the app; explicit, so that one bundled file can deploy. */
export const timers: readonly Timer[] = [drainOutbox, reconcileImagesTimer];
