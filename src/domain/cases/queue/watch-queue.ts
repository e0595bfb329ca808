import { sql } from 'kysely';
import type { Db } from '../../../lib/db/connect.ts';
import { forEachTenant, inTenant } from '../../../lib/db/tenant.ts';
import { independentSteps } from '../../../lib/concurrency/independent-steps.ts';
import type { Log } from '../../../lib/telemetry/log.ts';
import { findStuckMessages } from '../../../lib/outbox/claims.ts';

const minuteMs = 60 * 1000;
const emergencyWaitsMs = 60 * minuteMs;
const messageWaitsMs = 10 * minuteMs;

/** What waits for too long, over all tenants. */
export interface Waiting {
  emergencies: number;
  overdue: number;
  messages: number;
}

interface Row {
  unanswered: number;
  emergencies: number;
  emergency_since: Date | null;
  overdue: number;
  overdue_since: Date | null;
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
  return await independentSteps(log, async (attempt) => {
    const watch = async (tenant: number) => {
      const { unanswered, emergencies, emergency_since, overdue, overdue_since } = await countWaiting(
        db,
        tenant,
        now,
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

/** On hold by the level: a flag that is found there may leave the rank as it was. */
async function countWaiting(db: Db, tenantId: number, now: Date): Promise<Row> {
  const hourAgo = new Date(now.getTime() - emergencyWaitsMs);
  const { rows } = await inTenant(db, tenantId, (tx) =>
    sql<Row>`
      WITH emergencies AS (
        (SELECT submitted_at AS since FROM request_records
          WHERE tenant_id = ${tenantId} AND status IN ('submitted', 'queued') AND triage_rank = 0
          ORDER BY submitted_at LIMIT 1000)
        UNION ALL
        (SELECT status_changed_at FROM request_records
          WHERE tenant_id = ${tenantId} AND status = 'on_hold' AND triage_level = 'emergency'
          ORDER BY held_at LIMIT 1000)),
      overdue AS (
        (SELECT due_at FROM request_records
          WHERE tenant_id = ${tenantId} AND status = 'queued' AND due_at < ${now}
          ORDER BY due_at LIMIT 1000)
        UNION ALL
        (SELECT due_at FROM request_records
          WHERE tenant_id = ${tenantId} AND status = 'on_hold' AND pending_status <> 'awaiting_patient'
            AND triage_rank < 2 AND due_at < ${now}
          ORDER BY held_at LIMIT 1000))
      SELECT u.count AS unanswered, e.count AS emergencies, e.since AS emergency_since, o.count AS overdue,
        o.since AS overdue_since
      FROM (
        SELECT count(*)::int FROM (
          SELECT FROM emergencies
          WHERE NOT EXISTS (
            SELECT FROM user_groups g
            JOIN user_group_members m ON m.tenant_id = g.tenant_id AND m.group_id = g.id
            JOIN physicians p ON p.user_id = m.user_id JOIN users a ON a.id = m.user_id
            WHERE g.tenant_id = ${tenantId} AND jsonb_exists(g.settings -> 'capabilities', 'on_call')
              AND NOT p.vacation_mode AND a.is_active)
          LIMIT 1000) AS waiting) AS u,
      (
        SELECT count(*)::int, min(since) AS since FROM (
          SELECT since FROM emergencies WHERE since <= ${hourAgo} LIMIT 1000) AS waiting) AS e,
      (
        SELECT count(*)::int, min(due_at) AS since FROM (
          SELECT due_at FROM overdue LIMIT 1000) AS waiting) AS o`.execute(tx),
  );
  return rows[0] ?? { unanswered: 0, emergencies: 0, emergency_since: null, overdue: 0, overdue_since: null };
}
