import { Problem } from '../../../contract/problem.ts';
import { patientStatusOf, placeOf, type Replied } from './case-status.ts';
import { allowedActions, type Party, type TransitionName } from './transitions.ts';

interface Standing extends Replied {
  status: string;
  pending_status: string | null;
}

/**
 * What a case does not allow where it stands. Patients read the status that they know.
 * @param detail why, where the status alone does not show it.
 * @param allowed what the caller may do instead, where that depends on more than the status.
 */
export function stateConflict(
  record: Standing,
  party: Party,
  allowed: readonly TransitionName[] = allowedActions(placeOf(record), party),
  detail?: string,
): Problem {
  return new Problem('case_state_conflict', {
    ...(detail !== undefined && { detail }),
    members: {
      current_status: party === 'account' ? patientStatusOf(record) : record.status,
      allowed_actions: allowed,
    },
  });
}
