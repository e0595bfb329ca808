import { auditEvents } from '../../../contract/audit.ts';
import { Problem } from '../../../contract/problem.ts';
import { versionConflict } from '../../../contract/version-conflict.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { lockVisibleCase } from '../../cases/record/visible-cases.ts';
import { staffActions } from '../../cases/record/staff-actions.ts';
import { reopenCase } from '../../cases/queue/reopen-case.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { stateConflict } from '../../cases/record/state-conflict.ts';
import { enqueueNews } from '../../announce/news/enqueue-news.ts';
import { requireCapability, type Staff } from '../../identity/groups/staff.ts';
import { clearFinal } from './annotated-case.queries.ts';
import { type AnswerRow, changeVersion, findDraft, findFinal } from './annotation.queries.ts';
import type { Cancellation, CancelWork } from './answer-work.ts';
import { isWithdrawable, withdrawAnswer } from './withdraw-answer.ts';

/**
 * Takes an answer back. The caller's own draft is cancelled. A signed answer becomes its signer's draft again while the
 * patient cannot read it (T18); one that the patient can read is cancelled as entered in error by holders of `case.reopen`,
 * even beside a draft of their own, and its case is open again (T21).
 *
 * @throws {Problem} `case_not_found`, `annotation_not_found`, `version_conflict`, `annotation_published` for
 *   the signer, `capability_required`, `case_state_conflict`
 */
export async function cancelAnswer(
  tx: Tx,
  work: CancelWork,
  staff: Staff,
  { caseUuid, reason, version }: Cancellation,
): Promise<AnswerRow> {
  const { now } = work;
  const record = await lockVisibleCase(tx, staff, caseUuid);
  const final = await findFinal(tx, record);
  const found =
    mayRetract(staff, record) && final !== undefined ? final : ((await draftOf(tx, staff, record)) ?? final);
  if (found === undefined) throw new Problem('annotation_not_found');
  if (found.version !== version) throw versionConflict(found.version);
  const isFinal = found.uuid === record.final_annotation_uuid;
  if (isFinal && isWithdrawable(staff, record, found, now))
    return await withdraw(tx, work, staff, record, reason);
  if (isFinal) await retract(tx, work, staff, record, found);
  const cancelled = await changeVersion(tx, 'dermatologist_annotations', found, now, {
    status: 'cancelled',
    cancelled_at: now,
    cancel_reason: reason,
  });
  await work.audit.as(auditEvents.annotationCancelled).succeeded(tx, {
    subject: { kind: 'annotation', uuid: cancelled.uuid },
    caseUuid: record.uuid,
    patientId: record.patient_id,
    detail: { version: cancelled.version, published: cancelled.published_at !== null },
  });
  return cancelled;
}

/** Whether the caller may cancel what the patient can read. A draft that such a caller has left on the case is swept. */
const mayRetract = ({ capabilities }: Staff, { status }: CaseRecord) =>
  status === 'closed' && capabilities.has('case.reopen');

async function draftOf(tx: Tx, { physician }: Staff, record: CaseRecord): Promise<AnswerRow | undefined> {
  return physician === null ? undefined : await findDraft(tx, record.uuid, physician.id);
}

async function withdraw(
  tx: Tx,
  { audit, now, rules }: CancelWork,
  staff: Staff,
  record: CaseRecord,
  reason: string,
): Promise<AnswerRow> {
  await withdrawAnswer(tx, { audit, now, rules: rules.queue }, staff, record, reason);
  const draft = await findFinal(tx, record);
  if (draft === undefined) throw new Error('a withdrawn answer is a draft');
  return draft;
}

/** Opens the case again whose answer is cancelled: it has none that counts. Its patient, who could read it, gets a message. */
async function retract(
  tx: Tx,
  { audit, now, rules, sla, requestId }: CancelWork,
  staff: Staff,
  record: CaseRecord,
  answer: AnswerRow,
): Promise<void> {
  const isSigner = staff.physician !== null && answer.physician_id === staff.physician.id;
  if (isSigner && !staff.capabilities.has('case.reopen')) throw new Problem('annotation_published');
  requireCapability(staff, 'case.reopen');
  if (record.status !== 'closed') {
    throw stateConflict(record, 'staff', staffActions(staff, record, now));
  }
  await clearFinal(tx, record);
  const work = { audit, now, rules: rules.queue, sla };
  const reopened = await reopenCase(tx, work, record, { by: 'staff', reason: 'other', requestId });
  await enqueueNews(tx, reopened, 'answer_withdrawn', now);
}
