import { Problem } from '../../../contract/problem.ts';
import { requireCapability, type Staff } from '../../identity/groups/staff.ts';
import { isHolder } from '../../cases/record/visible-cases.ts';
import { actionNeeds, isLeaseOver, mayReopen, staffActions } from '../../cases/record/staff-actions.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { stateConflict } from '../../cases/record/state-conflict.ts';
import type { TransitionName } from '../../cases/record/transitions.ts';

/** What only the physician does who has the case in hand. */
const needLease: readonly TransitionName[] = ['renew_lease', 'release', 'hold'];

/**
 * Judged before the version: a case goes back to the queue in a new version, and its physician is to learn that it is lost.
 * @throws {Problem} `lease_lost`
 */
export function requireLease(staff: Staff, record: CaseRecord, action: TransitionName, now: Date): void {
  const isNeeded = needLease.includes(action) || (action === 'update_record' && staff.actor.role !== 'admin');
  if (!isNeeded || staff.physician === null || isHolder(staff, record, now)) return;
  const isLast = record.assigned_physician_id === staff.physician.id;
  if (isLast && (record.status === 'queued' || isLeaseOver(record, now))) throw new Problem('lease_lost');
}

/**
 * Whether the caller may do this with the case now: what {@link staffActions} offers, and nothing else.
 * @throws {Problem} `capability_required`, `case_state_conflict`
 */
export function requireAction(staff: Staff, record: CaseRecord, action: TransitionName, now: Date): void {
  const capability = actionNeeds[action];
  const isOwn = action === 'reopen' && mayReopen(staff, record, now);
  if (capability !== undefined && !isOwn) requireCapability(staff, capability);
  const allowed = staffActions(staff, record, now);
  if (allowed.includes(action)) return;
  throw stateConflict(record, 'staff', allowed);
}
