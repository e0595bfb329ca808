import { timer } from '../lib/app/timer.ts';

/** Delivers what no kick delivered: messages that wait for a retry, and those of instances that ended. */
export const drainOutbox = timer({
  name: 'drainOutbox',
  schedule: '0 * * * * *',
  summary: 'Deliver due messages',
  async run({ outbox }) {
    return { ...(await outbox.drain()) };
  },
});
