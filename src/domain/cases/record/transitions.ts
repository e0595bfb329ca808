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
  /** What clients call it, where not by its name. */
  action?: string;
}

const queueable = ['submitted', ...holds, 'ineligible'] as const;
const staffSide = ['queued', 'in_review', ...holds] as const;
const ended = ['closed', 'ineligible', 'cancelled', 'expired'] as const;
const asked = 'on_hold/awaiting_patient';

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
  },
  // In the queue what an urgent case lacks.
  update: {
    id: 'T02',
    from: ['draft', 'queued', 'on_hold/awaiting_patient'],
    to: 'same',
    by: ['account'],
    event: auditEvents.caseUpdated,
  },
  submit: {
    id: 'T03',
    from: ['draft'],
    to: ['submitted'],
    by: ['account'],
    event: auditEvents.caseSubmitted,
  },
  // On hold after the patient has replied to what was asked for.
  analyse: {
    id: 'T04',
    from: ['submitted', 'on_hold/awaiting_patient'],
    to: 'same',
    by: ['system'],
    event: auditEvents.caseAnalysed,
  },
  queue: {
    id: 'T05',
    from: queueable,
    to: ['queued'],
    by: ['system'],
    event: auditEvents.caseQueued,
  },
  ask_patient: {
    id: 'T06',
    from: ['submitted', 'on_hold/awaiting_patient', 'ineligible'],
    to: ['on_hold/awaiting_patient'],
    by: ['system'],
    event: auditEvents.caseHeld,
  },
  refuse: {
    id: 'T07',
    from: ['submitted', 'queued', 'on_hold/awaiting_patient'],
    to: ['ineligible'],
    by: ['system'],
    event: auditEvents.caseIneligible,
  },
  take: {
    id: 'T08',
    from: ['queued'],
    to: ['in_review'],
    by: ['staff'],
    event: auditEvents.caseTaken,
  },
  claim: {
    id: 'T09',
    from: ['queued'],
    to: ['in_review'],
    by: ['staff'],
    event: auditEvents.caseTaken,
  },
  assign: {
    id: 'T10',
    from: staffSide,
    to: ['queued'],
    by: ['staff'],
    event: auditEvents.caseAssigned,
  },
  renew_lease: {
    id: 'T11',
    from: ['in_review'],
    to: 'same',
    by: ['physician'],
    event: auditEvents.caseLeaseRenewed,
  },
  release: {
    // The service does it for a physician whose account was deactivated.
    id: 'T12',
    from: ['in_review'],
    to: ['queued'],
    by: ['physician', 'system'],
    event: auditEvents.caseReleased,
  },
  expire_lease: {
    id: 'T13',
    from: ['in_review'],
    to: ['queued'],
    by: ['system'],
    event: auditEvents.caseLeaseExpired,
  },
  hold: {
    id: 'T14',
    from: ['in_review'],
    to: holds,
    by: ['physician'],
    event: auditEvents.caseHeld,
  },
  change_pending_status: {
    id: 'T15',
    from: holds,
    to: holds,
    by: ['physician', 'staff'],
    event: auditEvents.casePendingChanged,
  },
  // Back to the physician who asked; or, where the service asked, to be analysed and judged again.
  reply: {
    id: 'T16',
    from: ['on_hold/awaiting_patient'],
    to: ['queued', 'on_hold/awaiting_patient'],
    by: ['account'],
    event: auditEvents.caseReplied,
  },
  resume: {
    id: 'T16',
    from: holds,
    to: ['queued'],
    by: ['staff', 'system'],
    event: auditEvents.caseQueued,
  },
  sign: {
    id: 'T17',
    from: ['in_review'],
    to: ['answered'],
    by: ['physician'],
    event: auditEvents.caseAnswered,
  },
  undo: {
    id: 'T18',
    from: ['answered'],
    to: ['in_review'],
    by: ['physician'],
    event: auditEvents.caseAnswerWithdrawn,
  },
  publish: {
    id: 'T19',
    from: ['answered'],
    to: ['closed'],
    by: ['staff', 'system'],
    event: auditEvents.caseClosed,
  },
  cancel: {
    id: 'T20',
    from: ['draft', 'submitted', 'queued', 'in_review', ...holds],
    to: ['cancelled'],
    by: ['account', 'staff'],
    event: auditEvents.caseCancelled,
  },
  reopen: {
    id: 'T21',
    from: ended,
    to: ['queued', 'submitted'],
    by: ['staff', 'physician'],
    event: auditEvents.caseReopened,
  },
  // What its patient still wants to know of the answer: once.
  reopen_by_reply: {
    id: 'T21',
    from: ['closed'],
    to: ['queued'],
    by: ['account'],
    event: auditEvents.caseReopened,
    action: 'reply',
  },
  remind: { id: 'T22', from: [asked], to: 'same', by: ['system'], event: auditEvents.caseReminded },
  expire: {
    id: 'T22',
    from: ['draft', 'on_hold/awaiting_patient'],
    to: ['expired'],
    by: ['system'],
    event: auditEvents.caseExpired,
  },
  // A case that a physician has put on hold was judged before.
  check_eligibility: {
    id: 'T23',
    from: ['submitted', 'queued', 'on_hold/awaiting_patient', 'ineligible'],
    to: 'same',
    by: ['staff'],
    event: auditEvents.caseEligibilityChecked,
  },
  amend: {
    id: 'T24',
    from: ['closed'],
    to: 'same',
    by: ['physician'],
    event: auditEvents.caseAmended,
  },
  erase: {
    id: 'T25',
    from: ended,
    to: 'same',
    by: ['system'],
    event: auditEvents.caseErased,
  },
  // No number in the design: the patient has seen the answer.
  acknowledge: {
    id: 'T26',
    from: ['closed'],
    to: 'same',
    by: ['account'],
    event: auditEvents.caseAcknowledged,
  },
  // No number in the design: its physician or an admin corrects the record.
  update_record: {
    id: 'T27',
    from: ['submitted', 'queued', 'in_review', ...holds, 'ineligible'],
    to: 'same',
    by: ['physician', 'staff'],
    event: auditEvents.caseRecordUpdated,
  },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;
export const transitionNames = Object.keys(transitions) as TransitionName[];

/** The same, without what the compiler knows of each. */
export const transitionOf = (name: TransitionName): Transition => transitions[name];

/** What clients call it. */
export const actionOf = (name: TransitionName): TransitionName =>
  (transitionOf(name).action ?? name) as TransitionName;

/** What `party` may do with a case that stands at `place`, as clients call it. */
export function allowedActions(place: Place, party: Party): TransitionName[] {
  return transitionNames
    .filter((name) => {
      const { from, by } = transitionOf(name);
      return by.includes(party) && from.includes(place);
    })
    .map(actionOf);
}
