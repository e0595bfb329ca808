import { keepEventPartitions } from '../domain/platform/events/keep-event-partitions.ts';
import { dropEventPartitions } from '../domain/platform/events/drop-event-partitions.ts';
import { timer } from '../lib/timer.ts';

export const keepPartitions = timer({
  name: 'keepPartitions',
  schedule: '0 30 3 * * *',
  summary: 'Create the next partitions of the event log, drop those past their retention',
  async run({ db, log, clock }) {
    return {
      made: await keepEventPartitions(db),
      ...(await dropEventPartitions(db, log, clock.now())),
    };
  },
});
