import { Problem } from '../../../contract/problem.ts';
import { requireCapability, type Staff } from '../../identity/groups/staff.ts';
import { moreUrgentLevel, triageFloor } from '../../intake/triage/assess-triage.ts';
import type { TriageLevel } from '../../intake/triage/triage.schemas.ts';
import type { CaseFlags } from '../../cases/record/case-flags.ts';
import type { RecordUpdate } from './record-update.schemas.ts';

/**
 * The level that staff give a case: a more urgent one freely, a less urgent one with `triage.lower` and a reason, and none
 * below what its red flags require.
 *
 * @param flags of the case, with what its corrected answers add.
 * @throws {Problem} `validation_error`, `capability_required`
 */
export function correctTriage(
  staff: Staff,
  { urgency, triageLevel: current }: Pick<CaseFlags, 'urgency' | 'triageLevel'>,
  { triage_level: wanted, triage_reason: reason }: Pick<RecordUpdate, 'triage_level' | 'triage_reason'>,
): TriageLevel | null {
  if (wanted === undefined) return current;
  if (moreUrgentLevel(wanted, current ?? 'routine') === wanted) return wanted;
  const floor = urgency === null ? undefined : triageFloor(urgency)?.priority;
  if (floor !== undefined && moreUrgentLevel(wanted, floor) !== wanted) {
    throw refused('/triage_level', 'below_red_flags', `The red flags require at least ${floor}.`);
  }
  requireCapability(staff, 'triage.lower');
  if (reason === undefined) {
    throw refused('/triage_reason', 'required', 'Is required for a less urgent level.');
  }
  return wanted;
}

const refused = (pointer: string, code: string, message: string) =>
  new Problem('validation_error', { errors: [{ pointer, code, message }] });
