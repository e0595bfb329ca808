import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { withdrawAnswer } from '../../answers/annotations/withdraw-answer.ts';
import { requirePhysician } from '../../identity/groups/staff.ts';
import { isSignersToReopen } from '../../cases/record/staff-actions.ts';
import { renewLease } from '../../cases/queue/lease.ts';
import { reopenCase } from '../../cases/queue/reopen-case.ts';
import { releaseCase, resumeCase } from '../../cases/queue/return-to-queue.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { cancelCase } from '../../cases/record/cancel-case.ts';
import { assignCase } from './assign-case.ts';
import { claimCase } from './claim-case.ts';
import { holdCase, requireAccount } from './hold-case.ts';
import type { HandlingRules } from './handling-rules.ts';
import type { Locked } from './lock-for-action.ts';
import type { StaffAction } from './staff-action.schemas.ts';

/** @returns the case as the action leaves it. */
export async function performAction(
  tx: Tx,
  { context, rules }: { context: Context; rules: HandlingRules },
  { staff, record, target }: Locked,
  input: StaffAction,
): Promise<CaseRecord> {
  const { audit, request } = context;
  const work = { audit, now: request.receivedAt, ...rules };
  const { id: authorId } = staff.actor;
  switch (input.action) {
    case 'claim':
      return await claimCase(tx, work, record, requirePhysician(staff));
    case 'renew_lease':
      return await renewLease(tx, work, record);
    case 'release': {
      const { id: physicianId } = requirePhysician(staff);
      return await releaseCase(tx, work, record, { physicianId, reason: input.reason });
    }
    case 'hold':
      requireAccount(staff, record, input, work.now);
      return await holdCase(tx, work, record, input, { transition: 'hold', by: 'physician', authorId });
    case 'resume':
      return await resumeCase(tx, work, record, { by: 'staff' });
    case 'assign':
      if (target === undefined) throw new Error('no physician to assign to');
      return await assignCase(tx, work, record, target);
    case 'cancel':
      return await cancelCase(tx, work, record, { by: 'staff', reason: input.reason });
    case 'reopen': {
      const by = isSignersToReopen(staff, record, work.now) ? 'physician' : 'staff';
      return await reopenCase(tx, work, record, { by, reason: input.reason, requestId: request.id });
    }
    case 'undo':
      return await withdrawAnswer(tx, { audit, now: work.now, rules: rules.rules }, staff, record);
  }
}
