import { isAskedOfPatient } from './evaluate-eligibility.ts';
import type { CaseRecord } from './case.queries.ts';
import { placeOf } from './case-status.ts';
import { stateConflict } from './state-conflict.ts';
import { allowedActions, type TransitionName } from './transitions.ts';

/** For how long after its closing a case is reopened by its patient or by the physician who signed. */
const reopenableMs = 14 * 24 * 60 * 60 * 1000;

export function isRecentlyClosed({ closed_at: closed }: Pick<CaseRecord, 'closed_at'>, now: Date): boolean {
  return closed !== null && now.getTime() - closed.getTime() <= reopenableMs;
}

type Standing = Pick<
  CaseRecord,
  | 'status'
  | 'pending_status'
  | 'analysis_state'
  | 'eligibility_outcome'
  | 'eligibility_reasons'
  | 'queued_at'
  | 'closed_at'
  | 'reopened_by_patient_at'
>;

/**
 * What its patient may do with a case now. An answered case takes one reply, within 14 days; one in the queue takes what was
 * asked for when it was queued without it, by the service or by a physician.
 */
export function patientActions(record: Standing, now: Date): TransitionName[] {
  const takesReply = record.reopened_by_patient_at === null && isRecentlyClosed(record, now);
  const isAsked = record.eligibility_reasons.some(isAskedOfPatient);
  return allowedActions(placeOf(record), 'account').filter((action) => {
    if (action === 'reply') return record.status !== 'closed' || takesReply;
    return action !== 'update' || record.status !== 'queued' || isAsked;
  });
}

/** @throws {Problem} `case_state_conflict` when its patient may not do this with the case now. */
export function requirePatientAction(record: Standing, action: TransitionName, now: Date): void {
  const allowed = patientActions(record, now);
  if (!allowed.includes(action)) throw stateConflict(record, 'account', allowed);
}
