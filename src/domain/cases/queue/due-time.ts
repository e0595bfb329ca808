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

/** @param heldMs time on hold, which does not count. */
export function dueAt(submittedAt: Date, level: TriageLevel, sla: SlaHours, heldMs = 0): Date {
  return new Date(submittedAt.getTime() + sla[level] * hourMs + heldMs);
}
