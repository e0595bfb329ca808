import { type Audit, auditEvents } from '../../../contract/audit.ts';
import { holds, type Place } from './case-status.ts';

/** Who moves a case. `account`: the patient's; `staff`: physicians and admins; `physician`: the one who has the case. */
export type Party = 'account' | 'staff' | 'physician' | 'system';

export interface Transition {
  /** Number in the design. */
  id: `T${number}`;
  /** Empty for a case that does not exist yet. */
  from: readonly Place[];
  /** `same`: the case stays where it is. */
  to: readonly Place[] | 'same';
  by: readonly Party[];
  event: Audit;
  /** Not offered as an action until it can be asked for. */
  isBuilt: boolean;
}

const queueable = ['submitted', ...holds, 'ineligible'] as const;
const staffSide = ['queued', 'in_review', ...holds] as const;
const ended = ['closed', 'ineligible', 'cancelled', 'expired'] as const;
const asked = 'on_hold/awaiting_patient';
const built = { isBuilt: true };
const later = { isBuilt: false };

/**
 * Every way that a case can go. What clients may do, the documents, the picture of the states and the tests come from it,
 * and `applyTransition` lets nothing else happen.
 */
export const transitions = {
  create: {
    id: 'T01',
    from: [],
    to: ['draft'],
    by: ['account', 'staff'],
    event: auditEvents.caseCreated,
    ...built,
  },
  update: {
    id: 'T02',
    from: ['draft', 'on_hold/awaiting_patient'],
    to: 'same',
    by: ['account'],
    event: auditEvents.caseUpdated,
    ...built,
  },
  submit: {
    id: 'T03',
    from: ['draft'],
    to: ['submitted'],
    by: ['account'],
    event: auditEvents.caseSubmitted,
    ...built,
  },
  // On hold after the patient has replied to what was asked for.
  analyse: {
    id: 'T04',
    from: ['submitted', 'on_hold/awaiting_patient'],
    to: 'same',
    by: ['system'],
    event: auditEvents.caseAnalysed,
    ...built,
  },
  queue: {
    id: 'T05',
    from: queueable,
    to: ['queued'],
    by: ['system'],
    event: auditEvents.caseQueued,
    ...built,
  },
  ask_patient: {
    id: 'T06',
    from: ['submitted', 'on_hold/awaiting_patient'],
    to: ['on_hold/awaiting_patient'],
    by: ['system'],
    event: auditEvents.caseHeld,
    ...built,
  },
  refuse: {
    id: 'T07',
    from: ['submitted', 'queued', 'on_hold/awaiting_patient'],
    to: ['ineligible'],
    by: ['system'],
    event: auditEvents.caseIneligible,
    ...built,
  },
  take: {
    id: 'T08',
    from: ['queued'],
    to: ['in_review'],
    by: ['staff'],
    event: auditEvents.caseTaken,
    ...later,
  },
  claim: {
    id: 'T09',
    from: ['queued'],
    to: ['in_review'],
    by: ['staff'],
    event: auditEvents.caseTaken,
    ...later,
  },
  assign: {
    id: 'T10',
    from: staffSide,
    to: ['queued'],
    by: ['staff'],
    event: auditEvents.caseAssigned,
    ...later,
  },
  renew_lease: {
    id: 'T11',
    from: ['in_review'],
    to: 'same',
    by: ['physician'],
    event: auditEvents.caseLeaseRenewed,
    ...later,
  },
  release: {
    id: 'T12',
    from: ['in_review'],
    to: ['queued'],
    by: ['physician'],
    event: auditEvents.caseReleased,
    ...later,
  },
  expire_lease: {
    id: 'T13',
    from: ['in_review'],
    to: ['queued'],
    by: ['system'],
    event: auditEvents.caseLeaseExpired,
    ...later,
  },
  hold: {
    id: 'T14',
    from: ['in_review'],
    to: holds,
    by: ['physician'],
    event: auditEvents.caseHeld,
    ...later,
  },
  change_pending_status: {
    id: 'T15',
    from: holds,
    to: holds,
    by: ['physician', 'staff'],
    event: auditEvents.casePendingChanged,
    ...later,
  },
  // Back to the physician who asked; or, where the service asked, to be analysed and judged again.
  reply: {
    id: 'T16',
    from: ['on_hold/awaiting_patient'],
    to: ['queued', 'on_hold/awaiting_patient'],
    by: ['account'],
    event: auditEvents.caseReplied,
    ...built,
  },
  resume: {
    id: 'T16',
    from: holds,
    to: ['queued'],
    by: ['staff', 'system'],
    event: auditEvents.caseQueued,
    ...later,
  },
  sign: {
    id: 'T17',
    from: ['in_review'],
    to: ['answered'],
    by: ['physician'],
    event: auditEvents.caseAnswered,
    ...later,
  },
  undo: {
    id: 'T18',
    from: ['answered'],
    to: ['in_review'],
    by: ['physician'],
    event: auditEvents.caseAnswerWithdrawn,
    ...later,
  },
  publish: {
    id: 'T19',
    from: ['answered'],
    to: ['closed'],
    by: ['staff', 'system'],
    event: auditEvents.caseClosed,
    ...later,
  },
  cancel: {
    id: 'T20',
    from: ['draft', 'submitted', 'queued', 'in_review', ...holds],
    to: ['cancelled'],
    by: ['account', 'staff'],
    event: auditEvents.caseCancelled,
    ...built,
  },
  reopen: {
    id: 'T21',
    from: ended,
    to: ['queued', 'submitted'],
    by: ['staff', 'physician', 'account'],
    event: auditEvents.caseReopened,
    ...later,
  },
  remind: { id: 'T22', from: [asked], to: 'same', by: ['system'], event: auditEvents.caseReminded, ...built },
  expire: {
    id: 'T22',
    from: ['draft', 'on_hold/awaiting_patient'],
    to: ['expired'],
    by: ['system'],
    event: auditEvents.caseExpired,
    ...built,
  },
  check_eligibility: {
    id: 'T23',
    from: [...queueable, 'queued'],
    to: 'same',
    by: ['staff'],
    event: auditEvents.caseEligibilityChecked,
    ...later,
  },
  amend: {
    id: 'T24',
    from: ['closed'],
    to: 'same',
    by: ['physician'],
    event: auditEvents.caseAmended,
    ...later,
  },
  erase: {
    id: 'T25',
    from: ended,
    to: 'same',
    by: ['system'],
    event: auditEvents.caseErased,
    ...later,
  },
  // No number in the design: the patient has seen the answer.
  acknowledge: {
    id: 'T26',
    from: ['closed'],
    to: 'same',
    by: ['account'],
    event: auditEvents.caseAcknowledged,
    ...built,
  },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;
export const transitionNames = Object.keys(transitions) as TransitionName[];

/** The same, without what the compiler knows of each. */
export const transitionOf = (name: TransitionName): Transition => transitions[name];

/** What `party` may do with a case that stands at `place`. */
export function allowedActions(place: Place, party: Party): TransitionName[] {
  return transitionNames.filter((name) => {
    const { from, by, isBuilt } = transitionOf(name);
    return isBuilt && by.includes(party) && from.includes(place);
  });
}
