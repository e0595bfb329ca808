import { isUrgent } from '../../intake/red-flags/red-flags.schemas.ts';
import type { CaseRecord } from './apply-transition.ts';
import { rankOf } from './due-time.ts';

/**
 * Whether a case is urgent by its flags or by its level: staff raise a level, and a case that the AI service has not analysed
 * is `urgent_24h` without a flag. Of a level that was changed on hold the rank may be the earlier one.
 */
export function isUrgentCase({
  urgency,
  triage_level: level,
}: Pick<CaseRecord, 'urgency' | 'triage_level'>): boolean {
  return isUrgent(urgency) || (level !== null && rankOf(level) < 2);
}
