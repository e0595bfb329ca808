import type { AuditContext } from '../../../lib/app/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { applyTransition, type CaseChanges, type CaseRecord } from '../record/apply-transition.ts';
import { dueFrom, rankOf, type SlaHours } from '../record/due-time.ts';
import { homeLane, laneOf } from '../record/lane.ts';

/** Puts a submitted or held case into the queue (T05): into one lane, with a rank and a due time. */
export async function enterQueue(
  tx: Tx,
  { audit, now, sla }: { audit: AuditContext; now: Date; sla: SlaHours },
  record: CaseRecord,
  {
    pool,
    set,
    reasons,
  }: {
    /** The patient's pool, for a case without one of its own. */
    pool: string | null;
    /** How it was judged, and the flags that were found. */
    set?: CaseChanges;
    reasons: readonly string[];
  },
): Promise<CaseRecord> {
  const level = record.triage_level ?? 'routine';
  const lane = laneOf({ pool }, record);
  return await applyTransition(tx, { audit, now }, record, {
    transition: 'queue',
    set: {
      ...set,
      queued_at: now,
      pool: lane.pool,
      // Not until the end of a reservation from before it was refused.
      ...homeLane(lane),
      triage_level: level,
      triage_rank: rankOf(level),
      due_at: dueFrom(record, level, { now, sla }),
      held_at: null,
      remind_at: null,
      status_reason: null,
    },
    detail: { triage_level: level, lane_pool: lane.pool, lane_language: lane.language, reasons },
  });
}
