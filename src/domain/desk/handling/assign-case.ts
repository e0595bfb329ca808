import { Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { withQuestionLeft } from '../../cases/record/question-left.ts';
import { dueFrom, rankOf } from '../../cases/record/due-time.ts';
import { reservedLane, reservedUntil } from '../../cases/record/lane.ts';
import type { ResumeWork } from '../../cases/queue/return-to-queue.ts';
import { applyTransition } from '../../cases/record/apply-transition.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { isActiveStaff, lockPhysician, type Target } from './handling.queries.ts';

/**
 * The physician who is to get a case, locked: a vacation that begins meanwhile hands the case back afterwards.
 * @throws {Problem} `physician_not_found` for one who is unknown or inactive, `physician_away`
 */
export async function lockTarget(tx: Tx, physicianUuid: string): Promise<Target> {
  const target = await lockPhysician(tx, physicianUuid);
  if (target === undefined) throw new Problem('physician_not_found');
  // Judged once it is locked: a deactivation that came first has handed back all that there was.
  if (!(await isActiveStaff(tx, target.user_id))) throw new Problem('physician_not_found');
  if (target.vacation_mode) throw new Problem('physician_away');
  return target;
}

/**
 * Reserves a case for a physician (T10); the lease of another ends. It becomes that physician's, and waits whatever
 * language it is in.
 *
 * @param record locked, after the physician.
 * @throws {Problem} `physician_not_found` for the owner of the case's account, `case_state_conflict`
 */
export async function assignCase(
  tx: Tx,
  { audit, now, rules, sla }: ResumeWork,
  record: CaseRecord,
  target: Target,
): Promise<CaseRecord> {
  // Physicians do not treat an account of their own.
  if (target.user_id === record.account_user_id) throw new Problem('physician_not_found');
  const level = record.triage_level ?? 'routine';
  const rank = rankOf(level);
  return await applyTransition(tx, { audit, now }, record, {
    transition: 'assign',
    by: 'staff',
    set: {
      ...reservedLane(target.id, reservedUntil(rules, rank, now)),
      assigned_physician_id: target.id,
      lease_expires_at: null,
      queued_at: now,
      triage_level: level,
      triage_rank: rank,
      due_at: record.status === 'on_hold' ? dueFrom(record, level, { now, sla }) : record.due_at,
      held_at: null,
      remind_at: null,
      status_reason: null,
      eligibility_reasons: withQuestionLeft(record),
    },
    detail: { physician_id: target.id },
  });
}
