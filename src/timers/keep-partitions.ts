import { createEventPartitions, dropEventPartitions } from '../domain/platform/events/event-partitions.ts';
import { independentSteps } from '../lib/concurrency/independent-steps.ts';
import { dailyAt } from '../lib/timers/schedule.ts';
import { timer } from '../lib/timers/timer.ts';

export const keepPartitions = timer({
  name: 'keepPartitions',
  schedule: dailyAt(3, 30),
  summary: 'Create the next partitions of the event log, drop those past their retention',
  async run({ db, log, clock }) {
    return await independentSteps(log, async (attempt) => ({
      made: await createEventPartitions(db, attempt),
      ...(await dropEventPartitions({ db, log }, clock.now(), attempt)),
    }));
  },
});
