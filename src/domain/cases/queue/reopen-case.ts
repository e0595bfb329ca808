import { z } from 'zod';
import type { Tx } from '../../../lib/db/connect.ts';
import { isAskedOfPatient } from '../record/evaluate-eligibility.ts';
import { applyTransition } from '../record/apply-transition.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { dueAt, rankOf } from '../record/due-time.ts';
import { noLane, reservedLane, reservedUntil } from '../record/lane.ts';
import { ownLane, type ResumeWork } from './return-to-queue.ts';
import { isAtWork } from './physician-at-work.queries.ts';

export const ReopenReason = z
  .enum(['new_information', 'wrong_diagnosis', 'patient_question', 'quality_review', 'other'])
  .meta({ id: 'ReopenReason', description: 'Why a case is opened again.' });
export type ReopenReason = z.infer<typeof ReopenReason>;

/**
 * Opens a case again that had ended (T21): it is queued, and due as if it had been submitted now. Its patient and the
 * physician who has signed get that physician, if at work; a case that another opens waits in its own lane. A case that
 * ended before it was analysed and judged is submitted again. What was answered stays answered until an amendment replaces it.
 *
 * @param record locked.
 * @param by `physician`: the one who has signed.
 * @returns the case; call `outbox.kick()` after the commit.
 * @throws {Problem} `case_state_conflict`
 */
export async function reopenCase(
  tx: Tx,
  { audit, now, rules, sla }: ResumeWork,
  record: CaseRecord,
  {
    by,
    reason,
    requestId,
  }: { by: 'account' | 'physician' | 'staff'; reason: ReopenReason; requestId: string },
): Promise<CaseRecord> {
  const open = {
    status_reason: reason,
    held_at: null,
    remind_at: null,
    publish_at: null,
    notified_at: null,
    ...(record.audit_state === 'pending' && { audit_state: 'none' as const }),
  };
  if (!isJudged(record)) return await submitAgain(tx, { audit, now }, record, { open, requestId });
  const level = record.triage_level ?? 'routine';
  const physician = by === 'staff' ? null : record.assigned_physician_id;
  const isReserved = physician !== null && (await isAtWork(tx, physician));
  const lane = isReserved
    ? reservedLane(physician, reservedUntil(rules, rankOf(level), now))
    : await ownLane(tx, record);
  return await applyTransition(tx, { audit, now }, record, {
    ...(by === 'account' ? { transition: 'reopen_by_reply' } : { transition: 'reopen', to: 'queued' }),
    by,
    set: {
      ...open,
      ...lane,
      queued_at: now,
      triage_level: level,
      triage_rank: rankOf(level),
      due_at: dueAt(now, level, sla),
      // A physician has answered: what was asked for before that is asked for no more.
      ...(by === 'account' && {
        reopened_by_patient_at: now,
        eligibility_reasons: record.eligibility_reasons.filter((reason) => !isAskedOfPatient(reason)),
      }),
    },
    detail: { reason, reserved: isReserved, by: by === 'account' ? 'patient' : 'staff' },
  });
}

/** Analysed, and found eligible or not: a human may see it. */
const isJudged = ({ analysis_state: analysis, eligibility_outcome: outcome }: CaseRecord) =>
  (analysis === 'done' || analysis === 'degraded') && outcome !== null && outcome !== 'undetermined';

/** The workers and timers take it from here. */
async function submitAgain(
  tx: Tx,
  at: Pick<ResumeWork, 'audit' | 'now'>,
  record: CaseRecord,
  { open, requestId }: { open: object & { status_reason: string }; requestId: string },
): Promise<CaseRecord> {
  const isAnalysed = record.analysis_state === 'done' || record.analysis_state === 'degraded';
  return await applyTransition(tx, at, record, {
    transition: 'reopen',
    to: 'submitted',
    by: 'staff',
    set: { ...open, ...noLane, ...(!isAnalysed && { analysis_state: 'pending' }), eligibility_outcome: null },
    detail: { reason: open.status_reason, by: 'staff' },
    messages: [
      {
        consumer: 'analysis',
        topic: 'analysis_due',
        tenantId: record.tenant_id,
        payload: { case_uuid: record.uuid, request_id: requestId },
        dedupeKey: `analysis_due:${record.uuid}:${record.version + 1}`,
      },
    ],
  });
}
