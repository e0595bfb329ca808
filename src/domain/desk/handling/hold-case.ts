import { Problem } from '../../../contract/problem.ts';
import type { AuditContext } from '../../../lib/app/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import { staffActions } from '../../cases/record/staff-actions.ts';
import { withQuestionLeft } from '../../cases/record/question-left.ts';
import { nextReminder } from '../../cases/record/next-reminder.ts';
import { insertStaffMessage } from '../../cases/record/message.queries.ts';
import { applyTransition } from '../../cases/record/apply-transition.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import type { PendingStatus } from '../../cases/record/case-status.ts';
import { stateConflict } from '../../cases/record/state-conflict.ts';
import type { Party } from '../../cases/record/transitions.ts';

const longestMs = 90 * 24 * 60 * 60 * 1000;

/** What a case waits for, and until when. */
export interface Hold {
  pending_status: PendingStatus;
  message?: string | undefined;
  remind_at?: Date | undefined;
}

/**
 * Checks what comes with a hold, or with its end.
 * @param at pointer to the hold within the body.
 * @throws {Problem} `validation_error`
 */
export function checkHold(
  {
    pending_status: pending,
    message,
    remind_at: until,
  }: Omit<Hold, 'pending_status'> & { pending_status: PendingStatus | null },
  now: Date,
  at = '',
): void {
  const isForPatient = pending === 'awaiting_patient';
  if (!isForPatient && message !== undefined) {
    throw refused(`${at}/message`, 'Goes with the pending status awaiting_patient only.');
  }
  if (until === undefined) return;
  if (isForPatient) {
    throw refused(`${at}/remind_at`, 'Patients are reminded as the parameter notify/rules has it.');
  }
  if (pending === null || until <= now || until.getTime() - now.getTime() > longestMs) {
    throw refused(`${at}/remind_at`, 'Must lie within the next 90 days, and belong to a hold.');
  }
}

/** @throws {Problem} `message_required` */
export function requireMessage({ pending_status: pending, message }: Hold): void {
  if (pending === 'awaiting_patient' && message === undefined) throw new Problem('message_required');
}

/**
 * The account that would be asked must be there: after its erasure a submitted case stays without anyone to reply.
 * @throws {Problem} `case_state_conflict`
 */
export function requireAccount(
  staff: Staff,
  record: CaseRecord,
  { pending_status: pending }: Pick<Hold, 'pending_status'>,
  now: Date,
): void {
  if (pending !== 'awaiting_patient' || record.account_user_id !== null) return;
  const detail =
    'The account of this case was erased, so its patient cannot be asked. Answer it, or wait for something else.';
  throw stateConflict(record, 'staff', staffActions(staff, record, now), detail);
}

const refused = (pointer: string, message: string) =>
  new Problem('validation_error', { errors: [{ pointer, code: 'invalid_value', message }] });

export interface HoldWork {
  audit: AuditContext;
  now: Date;
  /** Days after which its patient is reminded. */
  reminderDays: readonly number[];
}

/**
 * Puts a case on hold (T14), or lets one on hold wait for something else (T15), with the message to its patient. Its lease
 * ends; its due time stops as long as it is on hold.
 *
 * @param record locked.
 * @throws {Problem} `case_state_conflict`
 */
export async function holdCase(
  tx: Tx,
  { audit, now, reminderDays }: HoldWork,
  record: CaseRecord,
  hold: Hold,
  { transition, by, authorId }: { transition: 'hold' | 'change_pending_status'; by: Party; authorId: number },
): Promise<CaseRecord> {
  const { pending_status: pending, message: text, remind_at: until = null } = hold;
  const held = await applyTransition(tx, { audit, now }, record, {
    transition,
    to: `on_hold/${pending}`,
    by,
    set: {
      lease_expires_at: null,
      held_at: now,
      remind_at: pending === 'awaiting_patient' ? nextReminder(now, reminderDays, now) : until,
      status_reason: null,
      // What its patient was asked can still be sent, once the case is in the queue.
      ...(pending !== 'awaiting_patient' && { eligibility_reasons: withQuestionLeft(record) }),
    },
    detail: { pending_status: pending },
  });
  if (text !== undefined) await insertStaffMessage(tx, record, { text, authorId }, now);
  return held;
}
