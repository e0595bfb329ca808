import { retryEligibility } from '../domain/cases/admission/retry-cases.ts';
import { timer } from '../lib/app/timer.ts';

export const retryEligibilityTimer = timer({
  name: 'retryEligibility',
  schedule: '20 * * * * *',
  summary: 'Judge cases again whose eligibility could not be determined',
  async run(context) {
    return { ...(await retryEligibility(context, context.clock.now())) };
  },
});
