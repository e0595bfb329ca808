import { everyMinute } from '../lib/timers/schedule.ts';
import { timer } from '../lib/timers/timer.ts';

/** Delivers what no kick delivered: messages that wait for a retry, and those of instances that ended. */
export const drainOutbox = timer({
  name: 'drainOutbox',
  schedule: everyMinute,
  summary: 'Deliver due messages',
  async run({ outbox }) {
    return { ...(await outbox.drain()) };
  },
});
