import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';

export interface WaitingCases {
  /** Emergencies of any age while no physician on call is at work. */
  unanswered: number;
  emergencies: number;
  emergency_since: Date | null;
  overdue: number;
  overdue_since: Date | null;
}

/**
 * What waits in the queue or on hold, at most 1000 of each kind. On hold by the level: a flag that is found there may leave
 * the rank as it was.
 * @param emergenciesSince the latest time since when an emergency counts as waiting.
 */
export async function countWaiting(
  tx: Tx,
  tenantId: number,
  { now, emergenciesSince }: { now: Date; emergenciesSince: Date },
): Promise<WaitingCases> {
  const { rows } = await sql<WaitingCases>`
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
        SELECT since FROM emergencies WHERE since <= ${emergenciesSince} LIMIT 1000) AS waiting) AS e,
    (
      SELECT count(*)::int, min(due_at) AS since FROM (
        SELECT due_at FROM overdue LIMIT 1000) AS waiting) AS o`.execute(tx);
  return rows[0] ?? { unanswered: 0, emergencies: 0, emergency_since: null, overdue: 0, overdue_since: null };
}
