import { announceLeaseEnds } from '../domain/cases/queue/announce-lease-ends.ts';
import { announceSessionEnds } from '../domain/identity/sessions/announce-session-ends.ts';
import { independentSteps } from '../lib/concurrency/independent-steps.ts';
import { everyMinute } from '../lib/timers/schedule.ts';
import { timer } from '../lib/timers/timer.ts';

/** Every minute, as warning-time.ts counts on. */
export const announceEndsTimer = timer({
  name: 'announceEnds',
  schedule: everyMinute,
  summary: 'Tell staff at work of leases and sessions that end within two minutes',
  async run({ db, log, clock }) {
    return await independentSteps(log, async (attempt) => ({
      leases: await announceLeaseEnds(db, clock.now(), attempt),
      sessions: await announceSessionEnds(db, clock.now(), attempt),
    }));
  },
});
