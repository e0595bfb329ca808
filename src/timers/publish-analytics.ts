import { everyMinute } from '../lib/timers/schedule.ts';
import { timer } from '../lib/timers/timer.ts';

/** What requests change is published at once; time, timers and the outbox change the counts as well. */
export const publishAnalyticsTimer = timer({
  name: 'publishAnalytics',
  schedule: everyMinute,
  summary: 'Publish the live counts that have changed without a request',
  async run({ analytics }) {
    return { messages: (await analytics?.publishAll()) ?? 0 };
  },
});
