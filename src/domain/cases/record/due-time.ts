import type { CaseRecord } from './case.queries.ts';
import type { TriageLevel } from '../../intake/triage/triage.schemas.ts';

const hourMs = 60 * 60 * 1000;

/** Hours from submission within which a case of each level is to be answered: the parameter `queue/sla_hours`. */
export type SlaHours = Readonly<Record<TriageLevel, number>>;

/**
 * Place in the queue before any deadline: 0 before 1 before 2. The three lower levels share a rank, in which the earliest
 * deadline is both urgency and age.
 */
export function rankOf(level: TriageLevel): 0 | 1 | 2 {
  if (level === 'emergency') return 0;
  return level === 'urgent_24h' ? 1 : 2;
}

/**
 * For how many milliseconds a case has been on hold until `now`; 0 where it is not. Asking the patient again begins another
 * hold (`held_at`), for reminders, and leaves the status as it is: the whole time counts.
 */
export function heldMsOf(
  { status, status_changed_at: since }: Pick<CaseRecord, 'status' | 'status_changed_at'>,
  now: Date,
): number {
  return status === 'on_hold' ? now.getTime() - since.getTime() : 0;
}

/** @param heldMs time on hold, which does not count. */
export function dueAt(submittedAt: Date, level: TriageLevel, sla: SlaHours, heldMs = 0): Date {
  return new Date(submittedAt.getTime() + sla[level] * hourMs + heldMs);
}

type Timed = Pick<CaseRecord, 'status' | 'status_changed_at' | 'submitted_at' | 'due_at'>;

/**
 * When a case that enters the queue is due. One on hold has its due time since the hold began, in which earlier holds are counted;
 * but one that has become more urgent on hold is due within the time of its new level.
 */
export function dueFrom(record: Timed, level: TriageLevel, { now, sla }: { now: Date; sla: SlaHours }): Date {
  const heldMs = heldMsOf(record, now);
  const { status, due_at: due, status_changed_at: since } = record;
  if (status === 'on_hold' && due !== null) {
    return new Date(Math.min(due.getTime() + heldMs, dueAt(now, level, sla).getTime()));
  }
  // A case that had ended was not the clinic's to answer until now.
  if (status === 'ineligible') return dueAt(now, level, sla);
  return dueAt(status === 'submitted' ? since : (record.submitted_at ?? now), level, sla, heldMs);
}

/**
 * When a case is due that the service puts on hold before it was queued; while it is asked about again that stays. Its
 * submission alone would not tell: it may have been refused, or closed, for weeks since.
 */
export const dueOnHold = (record: Timed, level: TriageLevel, at: { now: Date; sla: SlaHours }): Date | null =>
  record.status === 'on_hold' ? record.due_at : dueFrom(record, level, at);

/**
 * When a case is due that staff give another level: a more urgent one within the time of that level from now, and no later
 * than before; a less urgent one later by the difference. Null for a case that was not queued yet.
 */
export function dueAtLevel(
  { due_at: due, triage_level: before }: Pick<CaseRecord, 'due_at' | 'triage_level'>,
  level: TriageLevel,
  { now, sla }: { now: Date; sla: SlaHours },
): Date | null {
  if (due === null || before === null || before === level) return due;
  const later = (sla[level] - sla[before]) * hourMs;
  if (later >= 0) return new Date(due.getTime() + later);
  return new Date(Math.min(due.getTime(), dueAt(now, level, sla).getTime()));
}
