import { retryEligibility } from '../domain/cases/admission/retry-cases.ts';
import { everyMinute } from '../lib/timers/schedule.ts';
import { timer } from '../lib/timers/timer.ts';

export const retryEligibilityTimer = timer({
  name: 'retryEligibility',
  schedule: everyMinute,
  summary: 'Judge cases again whose eligibility could not be determined',
  async run(context) {
    return { ...(await retryEligibility(context, context.clock.now())) };
  },
});
