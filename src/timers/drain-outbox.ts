import { timer } from '../lib/timer.ts';

/** For what no kick delivered: messages that wait for their next try, and those of instances that are gone. */
export const drainOutbox = timer({
  name: 'drainOutbox',
  schedule: '0 * * * * *',
  summary: 'Deliver the messages that are due',
  async run({ outbox }) {
    return { ...(await outbox.drain()) };
  },
});
