import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { lockNotices } from '../../announce/live/notice.queries.ts';
import { loadStaff, requireCapability, type Staff } from '../../identity/groups/staff.ts';
import { isVisibleNow, lockClaimableCase, lockVisibleCase } from '../../cases/record/visible-cases.ts';
import { requireVersion } from '../../cases/record/own-case.ts';
import { isLeaseOver } from '../../cases/record/staff-actions.ts';
import { expireLease } from '../../cases/queue/return-to-queue.ts';
import { lockStaffAtWork } from '../../cases/queue/staff-at-work.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { lockTarget } from './assign-case.ts';
import type { Target } from './handling.queries.ts';
import { requireAction, requireLease } from './require-action.ts';
import type { StaffAction } from './staff-action.schemas.ts';

/** What an action works on, once it is allowed. */
export interface Locked {
  staff: Staff;
  /** Locked. */
  record: CaseRecord;
  /** To whom the case is assigned; locked. */
  target: Target | undefined;
}

/** What is to be done, as far as it decides what is locked. */
type Asked = StaffAction | { action: 'update_record' | 'check_eligibility' };

/**
 * Locks all that an action needs, physicians before cases, and checks whether the caller may do it now. A lease that has ended
 * is taken back first.
 */
export async function lockForAction(
  tx: Tx,
  { context, actor }: { context: Context; actor: AccountActor },
  uuid: string,
  input: Asked,
  version: number | undefined,
): Promise<Locked> {
  const now = context.request.receivedAt;
  const { action } = input;
  const isClaim = action === 'claim';
  const staff = isClaim ? await lockStaffAtWork(tx, actor, now) : await loadStaff(tx, actor);
  if (action === 'assign') requireCapability(staff, 'case.assign');
  const target = action === 'assign' ? await lockTarget(tx, input.physician_uuid) : undefined;
  const found = await (isClaim ? lockClaimableCase : lockVisibleCase)(tx, staff, uuid);
  if (version === undefined && (await isVisibleNow(tx, staff, uuid))) throw new Problem('version_required');
  requireLease(staff, found, action, now);
  requireVersion(found, version);
  const at = { audit: context.audit, now };
  const isOver = isLeaseOver(found, now);
  // Holder and target both get a notice, by transactions in the order of their ids (announce/live/notice.queries.ts).
  if (isOver && target !== undefined && target.id < (found.assigned_physician_id ?? 0)) {
    await lockNotices(tx, { physicianId: target.id });
  }
  const record = isOver ? await expireLease(tx, at, found) : found;
  requireAction(staff, record, action, now);
  return { staff, record, target };
}
