import { retryEligibility } from '../domain/cases/analysis/retry-cases.ts';
import { timer } from '../lib/timer.ts';

export const retryEligibilityTimer = timer({
  name: 'retryEligibility',
  schedule: '20 * * * * *',
  summary: 'Judge cases again whose eligibility could not be determined',
  async run(context) {
    return { ...(await retryEligibility(context, context.clock.now())) };
  },
});
