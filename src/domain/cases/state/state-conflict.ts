import { Problem } from '../../../contract/problem.ts';
import { patientStatusOf, placeOf } from './case-status.ts';
import { allowedActions, type Party } from './transitions.ts';

/** What a case does not allow where it stands. Patients read the status that they know. */
export function stateConflict(
  record: { status: string; pending_status: string | null; analysis_state: string },
  party: Party,
): Problem {
  return new Problem('case_state_conflict', {
    members: {
      current_status: party === 'account' ? patientStatusOf(record) : record.status,
      allowed_actions: allowedActions(placeOf(record), party),
    },
  });
}
