import { Problem } from '../../../contract/problem.ts';
import { patientStatusOf, placeOf } from './case-status.ts';
import { allowedActions, type Party, type TransitionName } from './transitions.ts';

interface Standing {
  status: string;
  pending_status: string | null;
  analysis_state: string;
}

/** What a case does not allow where it stands. Patients read the status that they know. */
export function stateConflict(record: Standing, party: Party): Problem {
  return new Problem('case_state_conflict', {
    members: {
      current_status: party === 'account' ? patientStatusOf(record) : record.status,
      allowed_actions: allowedActions(placeOf(record), party),
    },
  });
}

/** @throws {Problem} `case_state_conflict` when `party` may not do this where the case stands. */
export function requireAllowed(record: Standing, action: TransitionName, party: Party): void {
  if (!allowedActions(placeOf(record), party).includes(action)) throw stateConflict(record, party);
}
