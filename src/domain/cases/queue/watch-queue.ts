import { independentSteps } from '../../../lib/concurrency/independent-steps.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { forEachTenant, inTenant } from '../../../lib/db/tenant.ts';
import { findStuckMessages } from '../../../lib/outbox/claims.ts';
import type { Log } from '../../../lib/telemetry/log.ts';
import { countWaiting } from './waiting-cases.queries.ts';

const minuteMs = 60 * 1000;
const emergencyWaitsMs = 60 * minuteMs;
const messageWaitsMs = 10 * minuteMs;

/** What waits for too long, over all tenants. */
export interface Waiting {
  emergencies: number;
  overdue: number;
  messages: number;
}

/**
 * Writes a warning for each tenant with emergencies that have waited for over an hour in the queue or on hold, with emergencies of
 * any age while no physician on call is at work, with queued cases past their due time, and for each consumer with messages
 * that no worker has delivered for ten minutes. An urgent case that is on hold for the clinic's own sake counts as overdue as
 * well: its hold moves the due time, and would hide it. The alerts read these lines (infra/queries/).
 *
 * What cannot be counted silences nothing else.
 *
 * @returns the totals; at most 1000 of each tenant and consumer are counted.
 * @throws the first error, when everything has been tried.
 */
export async function watchQueue(db: Db, log: Log, now: Date): Promise<Waiting> {
  const total: Waiting = { emergencies: 0, overdue: 0, messages: 0 };
  const minutes = (since: Date | null) => Math.floor((now.getTime() - (since ?? now).getTime()) / minuteMs);
  const emergenciesSince = new Date(now.getTime() - emergencyWaitsMs);
  return await independentSteps(log, async (attempt) => {
    const watch = async (tenant: number) => {
      const { unanswered, emergencies, emergency_since, overdue, overdue_since } = await inTenant(
        db,
        tenant,
        (tx) => countWaiting(tx, tenant, { now, emergenciesSince }),
      );
      if (unanswered > 0) log.warn('emergency_without_on_call', { tenant, count: unanswered });
      total.emergencies += emergencies;
      total.overdue += overdue;
      if (emergencies > 0) {
        log.warn('emergency_waiting', { tenant, count: emergencies, minutes: minutes(emergency_since) });
      }
      if (overdue > 0) {
        log.warn('queue_overdue', { tenant, count: overdue, minutes: minutes(overdue_since) });
      }
    };
    await forEachTenant(db, watch, { attempt });
    await attempt({ kind: 'messages' }, async () => {
      const dueBefore = new Date(now.getTime() - messageWaitsMs);
      for (const { consumer, count, since } of await findStuckMessages(db, dueBefore)) {
        total.messages += count;
        log.warn('outbox_stuck', { consumer, count, minutes: minutes(since) });
      }
    });
    return total;
  });
}
