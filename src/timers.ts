import type { Timer } from './lib/timers/timer.ts';
import { announceEndsTimer } from './timers/announce-ends.ts';
import { cleanUp } from './timers/clean-up.ts';
import { drainOutbox } from './timers/drain-outbox.ts';
import { endVacationsTimer } from './timers/end-vacations.ts';
import { keepPartitions } from './timers/keep-partitions.ts';
import { openLanesTimer } from './timers/open-lanes.ts';
import { publishAnswersTimer } from './timers/publish-answers.ts';
import { publishAnalyticsTimer } from './timers/publish-analytics.ts';
import { reconcileImagesTimer } from './timers/reconcile-images.ts';
import { remindAndExpireTimer } from './timers/remind-and-expire.ts';
import { retryAnalysesTimer } from './timers/retry-analyses.ts';
import { retryEligibilityTimer } from './timers/retry-eligibility.ts';
import { returnLeasesTimer } from './timers/return-leases.ts';
import { watchQueueTimer } from './timers/watch-queue.ts';

/** Every timer of the app, in the order in which those due run; explicit, so that one bundled file can deploy. */
export const timers: readonly Timer[] = [
  announceEndsTimer,
  drainOutbox,
  retryAnalysesTimer,
  retryEligibilityTimer,
  remindAndExpireTimer,
  returnLeasesTimer,
  openLanesTimer,
  endVacationsTimer,
  publishAnalyticsTimer,
  publishAnswersTimer,
  watchQueueTimer,
  cleanUp,
  keepPartitions,
  reconcileImagesTimer,
];
