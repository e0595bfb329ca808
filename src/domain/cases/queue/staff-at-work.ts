import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { loadStaff, requirePhysician, type Staff, type StaffPhysician } from '../../identity/groups/staff.ts';
import { isAtWork, touchPhysician } from './physician-at-work.queries.ts';

export type StaffAtWork = Staff & { physician: StaffPhysician };

/**
 * The caller as a physician who takes cases. Of two requests of one physician the second waits until the first is
 * committed, so that both see the same cases in hand.
 *
 * @throws {Problem} `physician_profile_required`, `physician_away`
 */
export async function lockStaffAtWork(tx: Tx, actor: AccountActor, now: Date): Promise<StaffAtWork> {
  await touchPhysician(tx, actor.id, now);
  const staff = await loadStaff(tx, actor);
  const physician = requirePhysician(staff);
  // Away, or deactivated while this request waited.
  if (!(await isAtWork(tx, physician.id))) throw new Problem('physician_away');
  return { ...staff, physician };
}
