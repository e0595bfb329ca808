import { Problem } from '../../../contract/problem.ts';
import { auditEvents } from '../../../contract/audit.ts';
import { Language } from '../../../contract/language.ts';
import type { AuditContext } from '../../../lib/app/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { answeredDangers } from '../../cases/record/case-flags.ts';
import { applyTransition } from '../../cases/record/apply-transition.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import type { StaffPhysician } from '../../identity/groups/staff.ts';
import { renderAnswer } from '../templates/render-answer.ts';
import type { AnswerInput } from './annotation-input.schemas.ts';
import { type AnswerRow, answerColumns, changeVersion, findFinal } from './annotation.queries.ts';
import type { AnswerWork } from './answer-work.ts';
import { requireAcknowledged, requireComplete } from './check-answer.ts';
import { reasonsOf, requireReasons } from './check-contradictions.ts';
import { publishAnswer } from './publish-answer.ts';

const minuteMs = 60 * 1000;

/** What a physician signs, and for which case. */
export interface Signing {
  /** Locked. */
  record: CaseRecord;
  physician: StaffPhysician;
  input: AnswerInput;
}

/**
 * Signs a draft (T17). The patient reads it once the time for undoing has passed; at once where the case is urgent, or the
 * answer is to call for help. An answer that was final before is amended by it.
 *
 * @throws {Problem} those of {@link signedColumns}; then nothing of it may be committed.
 */
export async function signDraft(
  tx: Tx,
  work: AnswerWork,
  signing: Signing,
  draft: Pick<AnswerRow, 'uuid' | 'version'>,
): Promise<AnswerRow> {
  const { audit, now, rules } = work;
  const { record, input } = signing;
  const columns = await signedColumns(tx, work, signing);
  const earlier = await supersede(tx, record, now);
  const signed = await changeVersion(tx, 'dermatologist_annotations', draft, now, {
    ...columns,
    status: 'final',
    amends_uuid: earlier?.uuid ?? null,
    cancel_reason: null,
  });
  await recordSigned(tx, audit, record, signed);
  const isUrgent = record.triage_rank === 0 || record.triage_rank === 1 || record.urgency === 'emergency';
  const isCall = input.recommended_action === 'call_emergency_services';
  const undoMs = isUrgent || isCall ? 0 : rules.queue.undo_minutes * minuteMs;
  const answered = await applyTransition(tx, { audit, now }, record, {
    transition: 'sign',
    by: 'physician',
    set: {
      lease_expires_at: null,
      status_reason: null,
      answered_at: now,
      publish_at: new Date(now.getTime() + undoMs),
      final_annotation_uuid: signed.uuid,
      disease_id: signed.primary_disease_id,
      ...answeredDangers(record),
    },
    detail: { annotation: signed.uuid },
  });
  return undoMs > 0 ? signed : (await publishAnswer(tx, work, answered)).answer;
}

/**
 * A complete answer as columns, with the text that the patient reads.
 * @throws {Problem} `forbidden` for a physician who may not sign, `validation_error`, `red_flags_unacknowledged`,
 *   `answer_contradicts_urgency`, those of {@link renderAnswer}
 */
export async function signedColumns(
  tx: Tx,
  { now, rules }: AnswerWork,
  { record, physician, input }: Signing,
) {
  if (physician.adminSettings.can_sign === false) {
    throw new Problem('forbidden', { detail: 'An admin has decided that you do not sign answers.' });
  }
  requireComplete(input);
  await requireAcknowledged(tx, record, input.acknowledged_flags);
  const reasons = await requireReasons(tx, record, input);
  const columns = answerColumns({ ...input, contradiction_reasons: reasons }, record);
  const answer = { ...input, language: Language.parse(columns.language) };
  const { timeZone } = rules;
  const text = await renderAnswer(tx, { answer, record, physicianId: physician.id, at: now, timeZone });
  return { ...columns, rendered_text: text, signed_at: now };
}

/** Only one answer of a case is final. */
export async function supersede(tx: Tx, record: CaseRecord, now: Date): Promise<AnswerRow | undefined> {
  const earlier = await findFinal(tx, record);
  if (earlier?.status !== 'final') return undefined;
  return await changeVersion(tx, 'dermatologist_annotations', earlier, now, { status: 'amended' });
}

/** The event of a signed answer: which, not what it says, but for why it contradicts the danger of its case. */
export async function recordSigned(
  tx: Tx,
  audit: AuditContext,
  record: CaseRecord,
  signed: AnswerRow,
): Promise<void> {
  const { uuid, version, amends_uuid: amends } = signed;
  const contradictions = reasonsOf(signed).map(({ code, reason }) => `${code}: ${reason}`);
  await audit.as(auditEvents.annotationSigned).succeeded(tx, {
    subject: { kind: 'annotation', uuid },
    caseUuid: record.uuid,
    patientId: record.patient_id,
    detail: { version, amends, ...(contradictions.length > 0 && { contradictions }) },
  });
}
