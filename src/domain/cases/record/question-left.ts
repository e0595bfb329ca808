import type { CaseRecord } from './case.queries.ts';
import { placeOf } from './case-status.ts';
import { openQuestion } from './evaluate-eligibility.ts';

/**
 * The reasons of a case that leaves its hold without the reply of its patient: what a physician has asked can still be sent.
 * @param record as it is on hold.
 */
export function withQuestionLeft(record: CaseRecord, reasons = record.eligibility_reasons): string[] {
  const isAsked = placeOf(record) === 'on_hold/awaiting_patient' && record.queued_at !== null;
  return isAsked ? [...new Set([...reasons, openQuestion])] : reasons;
}

/** The reasons of a case whose patient has replied. */
export const withoutQuestion = (reasons: readonly string[]): string[] =>
  reasons.filter((reason) => reason !== openQuestion);
