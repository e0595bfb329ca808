import type { Timer } from './lib/timer.ts';
import { cleanUp } from './timers/clean-up.ts';
import { drainOutbox } from './timers/drain-outbox.ts';
import { keepPartitions } from './timers/keep-partitions.ts';
import { reconcileImagesTimer } from './timers/reconcile-images.ts';

/** Every timer of the app; explicit, so that one bundled file can deploy. */
export const timers: readonly Timer[] = [drainOutbox, cleanUp, keepPartitions, reconcileImagesTimer];
