import { retryAnalyses } from '../domain/cases/admission/retry-cases.ts';
import { everyMinute } from '../lib/timers/schedule.ts';
import { timer } from '../lib/timers/timer.ts';

/** What the outbox has not finished in 15 minutes goes to a human without the AI service. */
export const retryAnalysesTimer = timer({
  name: 'retryAnalyses',
  schedule: everyMinute,
  summary: 'Queue cases whose analysis has failed for too long',
  async run(context) {
    return { ...(await retryAnalyses(context, context.clock.now())) };
  },
});
