import { retryAnalyses } from '../domain/cases/admission/retry-cases.ts';
import { timer } from '../lib/app/timer.ts';

/** What the outbox has not finished in 15 minutes goes to a human without the AI service. */
export const retryAnalysesTimer = timer({
  name: 'retryAnalyses',
  schedule: '10 * * * * *',
  summary: 'Queue cases whose analysis has failed for too long',
  async run(context) {
    return { ...(await retryAnalyses(context, context.clock.now())) };
  },
});
