import { createEventPartitions, dropEventPartitions } from '../domain/platform/events/event-partitions.ts';
import { independentSteps } from '../lib/concurrency/independent-steps.ts';
import { timer } from '../lib/app/timer.ts';

export const keepPartitions = timer({
  name: 'keepPartitions',
  schedule: '0 30 3 * * *',
  summary: 'Create the next partitions of the event log, drop those past their retention',
  async run({ db, log, clock }) {
    return await independentSteps(log, async (attempt) => ({
      made: await createEventPartitions(db, attempt),
      ...(await dropEventPartitions({ db, log }, clock.now(), attempt)),
    }));
  },
});
