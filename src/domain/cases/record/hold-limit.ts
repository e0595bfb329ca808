import type { CaseRecord } from './case.queries.ts';

const hourMs = 60 * 60 * 1000;

/** Hours on hold without a date: an urgent case is due within a day, and others get no second week by an oversight. */
export const holdLimitHours = { urgent: 24, other: 72 } as const;

/**
 * When a hold that waits for the clinic ends by itself: at its date, or else after {@link holdLimitHours}, which follow the
 * rank of the case, so that one that becomes more urgent on hold ends earlier.
 */
export function holdEndsAt({
  remind_at: date,
  held_at: heldAt,
  status_changed_at: since,
  triage_rank: rank,
}: Pick<CaseRecord, 'remind_at' | 'held_at' | 'status_changed_at' | 'triage_rank'>): Date {
  if (date !== null) return date;
  const hours = rank !== null && rank < 2 ? holdLimitHours.urgent : holdLimitHours.other;
  return new Date((heldAt ?? since).getTime() + hours * hourMs);
}
