import { sweep } from '../domain/platform/retention/sweep.ts';
import { timer } from '../lib/timer.ts';

/** What is left over comes in the next hour. */
const sweepForMs = 100_000;

export const cleanUp = timer({
  name: 'cleanUp',
  schedule: '0 17 * * * *',
  summary:
    'Delete expired tokens, sessions, invitations and counters, and dead messages and AI calls past their age',
  async run({ db, clock }) {
    return { ...(await sweep(db, clock.now(), AbortSignal.timeout(sweepForMs))) };
  },
});
