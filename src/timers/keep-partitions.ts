import { keepEventPartitions } from '../domain/events/keep-event-partitions.ts';
import { timer } from '../lib/timer.ts';

export const keepPartitions = timer({
  name: 'keepPartitions',
  schedule: '0 30 3 * * *',
  summary: 'Make the partitions of the event log for the coming months and years',
  async run({ db }) {
    return { made: await keepEventPartitions(db) };
  },
});
