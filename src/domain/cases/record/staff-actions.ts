import type { Capability } from '../../identity/groups/capability.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import { isHolder } from './visible-cases.ts';
import { isInLanesOf } from './staff-lanes.ts';
import type { CaseRecord } from './case.queries.ts';
import { homeLane } from './lane.ts';
import { placeOf, places } from './case-status.ts';
import { isRecentlyClosed } from './patient-actions.ts';
import { allowedActions, type Party, type TransitionName, transitionNames } from './transitions.ts';

/** The capability that an action needs. */
export const actionNeeds: Partial<Record<TransitionName, Capability>> = {
  assign: 'case.assign',
  cancel: 'case.cancel',
  reopen: 'case.reopen',
};

/** What `next-case` and the publishing of answers do; no action of a case. */
const unoffered: readonly TransitionName[] = ['take', 'publish'];

/** Every action that staff may have in `allowed_actions`. */
export const offeredToStaff: readonly TransitionName[] = transitionNames.filter(
  (action) =>
    !unoffered.includes(action) &&
    places.some((place) =>
      [...allowedActions(place, 'staff'), ...allowedActions(place, 'physician')].includes(action),
    ),
);

type Guard = (staff: Staff, record: CaseRecord, now: Date) => boolean;

/** What an action needs besides the status of the case and a capability. */
const guards: Partial<Record<TransitionName, Guard>> = {
  claim: (staff, record) => staff.physician?.isAway === false && mayClaim(staff, record),
  assign: (_staff, record) => !isHeldByService(record),
  change_pending_status: (staff, record) =>
    !isHeldByService(record) && (isTheirs(staff, record) || staff.actor.role === 'admin'),
  resume: (_staff, record) => !isHeldByService(record),
  undo: (_staff, record, now) => record.publish_at !== null && record.publish_at > now,
  reopen: (_staff, record) => record.submitted_at !== null,
  check_eligibility: (_staff, record) =>
    record.analysis_state !== 'pending' && (record.status !== 'on_hold' || isHeldByService(record)),
  update_record: (staff, record, now) => staff.actor.role === 'admin' || isHolder(staff, record, now),
  sign: (staff) => staff.physician?.adminSettings.can_sign !== false,
};

/**
 * As whom a member of staff acts on a case: as its physician too while it is in hand, and afterwards as the one who holds,
 * has answered or has closed it.
 */
export function partiesOf(staff: Staff, record: CaseRecord, now: Date): Party[] {
  const isPhysician = record.status === 'in_review' ? isHolder(staff, record, now) : isTheirs(staff, record);
  return isPhysician ? ['staff', 'physician'] : ['staff'];
}

/**
 * What a member of staff may do with a case now. The routes accept these and no others; a claim can still be refused for
 * what is no matter of the case: the physician has too many open, or the clinic allows no claims.
 */
export function staffActions(staff: Staff, given: CaseRecord, now: Date): TransitionName[] {
  const record = withoutDeadLease(given, now);
  const place = placeOf(record);
  const named = new Set(partiesOf(staff, record, now).flatMap((party) => allowedActions(place, party)));
  return transitionNames.filter((action) => {
    if (!named.has(action) || unoffered.includes(action)) return false;
    if (guards[action]?.(staff, record, now) === false) return false;
    if (action === 'reopen') return mayReopen(staff, record, now);
    const capability = actionNeeds[action];
    return capability === undefined || staff.capabilities.has(capability);
  });
}

/** A case whose lease has ended waits again, though no timer has put it back yet. */
function withoutDeadLease(record: CaseRecord, now: Date): CaseRecord {
  if (!isLeaseOver(record, now)) return record;
  return { ...record, status: 'queued', lease_expires_at: null, ...homeLane(record) };
}

export const isLeaseOver = (record: Pick<CaseRecord, 'status' | 'lease_expires_at'>, now: Date): boolean =>
  record.status === 'in_review' && (record.lease_expires_at === null || record.lease_expires_at <= now);

/** In one's own lanes; of an emergency, on call, in any. */
export function mayClaim(staff: Staff, record: CaseRecord): boolean {
  return isInLanesOf(staff, record) || (record.triage_rank === 0 && staff.capabilities.has('on_call'));
}

/** Holders of `case.reopen` always; the physician who signed, within 14 days of closing. */
export function mayReopen(staff: Staff, record: CaseRecord, now: Date): boolean {
  return staff.capabilities.has('case.reopen') || isSignersToReopen(staff, record, now);
}

/**
 * Whether the physician who signed may open the case again without a capability. Only of a closed case is the assigned physician
 * the one who signed: a case that was opened again may have been given to another before it was cancelled.
 */
export const isSignersToReopen = (staff: Staff, record: CaseRecord, now: Date): boolean =>
  record.status === 'closed' && isTheirs(staff, record) && isRecentlyClosed(record, now);

const isTheirs = ({ physician }: Staff, record: CaseRecord) =>
  physician !== null && record.assigned_physician_id === physician.id;

/** On hold for what the service has asked of its patient: judged again, not simply queued. */
const isHeldByService = ({ status, queued_at: queued }: CaseRecord) =>
  status === 'on_hold' && queued === null;
