import { sweep } from '../domain/records/retention/sweep.ts';
import { hourlyAt } from '../lib/timers/schedule.ts';
import { timer } from '../lib/timers/timer.ts';

/** The next hourly run deletes the rest. */
const sweepForMs = 100_000;

export const cleanUp = timer({
  name: 'cleanUp',
  schedule: hourlyAt(17),
  summary:
    'Delete expired tokens, sessions, invitations, devices, notices, counters, dead and unsent messages, drafts of answers, cases never submitted, AI calls and checks',
  async run({ db, log, clock }) {
    return { ...(await sweep({ db, log }, clock.now(), AbortSignal.timeout(sweepForMs))) };
  },
});
