import { auditEvents } from '../../../contract/audit.ts';
import { Problem } from '../../../contract/problem.ts';
import { versionConflict } from '../../../contract/version-conflict.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { addNotices, type NewNotice } from '../../announce/live/notice.queries.ts';
import { enqueueNews } from '../../announce/news/enqueue-news.ts';
import { requireDiseases } from '../../catalogue/diseases/disease.queries.ts';
import { lockVisibleCase } from '../../cases/record/visible-cases.ts';
import { staffActions } from '../../cases/record/staff-actions.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { stateConflict } from '../../cases/record/state-conflict.ts';
import { requireCapability, requirePhysician, type Staff } from '../../identity/groups/staff.ts';
import { type AboutCase, requireUnchanged } from '../annotations/annotated-case.ts';
import { changeVersion, findFinal } from '../annotations/annotation.queries.ts';
import type { AuditInput } from '../annotations/annotation-input.schemas.ts';
import type { AnswerWork } from '../annotations/answer-work.ts';
import type { DiagnosisStatement } from '../annotations/diagnosis-statement.schemas.ts';
import { auditColumns, type AuditRow, findOwnAudit, insertDraft, setAuditState } from './audit.queries.ts';

type Work = Pick<AnswerWork, 'audit' | 'now'>;

/**
 * Makes the caller's audit of the answer that counts: a draft, or a signed one.
 * @throws {Problem} `case_not_found`, `capability_required`, `physician_profile_required`, `case_state_conflict` before the
 *   answer is published, `case_changed`, `own_annotation`, `annotation_exists`, `disease_unknown`, `validation_error`
 */
export async function createAudit(
  tx: Tx,
  work: Work,
  staff: Staff,
  { caseUuid, caseVersion, input, sign }: AboutCase & { input: AuditInput; sign: boolean },
): Promise<AuditRow> {
  const { audit, now } = work;
  const record = await lockVisibleCase(tx, staff, caseUuid);
  requireCapability(staff, 'case.audit');
  const { id: auditor } = requirePhysician(staff);
  const answer = await findFinal(tx, record);
  if (record.status !== 'closed' || answer === undefined) {
    throw stateConflict(record, 'staff', staffActions(staff, record, now));
  }
  requireUnchanged(record, caseVersion);
  if (answer.physician_id === auditor) throw new Problem('own_annotation');
  if ((await findOwnAudit(tx, record, auditor)) !== undefined) throw new Problem('annotation_exists');
  await requireOwnDiagnosis(tx, input);
  const draft = await insertDraft(tx, record, { answer: answer.uuid, auditor, input }, now);
  await audit.as(auditEvents.annotationCreated).succeeded(tx, eventOf(record, draft));
  return sign ? await signAudit(tx, work, record, draft, input) : draft;
}

/**
 * Saves or signs the caller's draft of an audit.
 * @throws {Problem} `case_not_found`, `capability_required`, `physician_profile_required`, `annotation_not_found`,
 *   `version_conflict`, `annotation_published` once it is signed, `case_changed`, `disease_unknown`,
 *   `validation_error`
 */
export async function updateAudit(
  tx: Tx,
  work: Work,
  staff: Staff,
  {
    caseUuid,
    caseVersion,
    version,
    input,
    sign,
  }: AboutCase & { version: number; input: AuditInput; sign: boolean },
): Promise<AuditRow> {
  const record = await lockVisibleCase(tx, staff, caseUuid);
  requireCapability(staff, 'case.audit');
  const own = await findOwnAudit(tx, record, requirePhysician(staff).id);
  if (own === undefined) throw new Problem('annotation_not_found');
  if (own.version !== version) throw versionConflict(own.version);
  if (own.status !== 'draft') throw new Problem('annotation_published');
  requireUnchanged(record, caseVersion);
  await requireOwnDiagnosis(tx, input, sign ? undefined : own);
  if (sign) return await signAudit(tx, work, record, own, input);
  return await changeVersion(tx, 'audit_annotations', own, work.now, auditColumns(input));
}

/** @param draft that is saved: its diagnosis may stay although the disease is no longer in use. */
async function requireOwnDiagnosis(
  tx: Tx,
  { own_diagnosis: own }: AuditInput,
  draft?: Pick<AuditRow, 'own_diagnosis'>,
): Promise<void> {
  const retired = [draft?.own_diagnosis ?? []].flat() as DiagnosisStatement[];
  if (own !== null) await requireDiseases(tx, [own], { retired, pointerOf: () => '/own_diagnosis' });
}

/** Signs an audit; the physician who has signed the answer learns of it where it must be corrected or can harm. */
async function signAudit(
  tx: Tx,
  { audit, now }: Work,
  record: CaseRecord,
  draft: AuditRow,
  input: AuditInput,
): Promise<AuditRow> {
  if (input.agreement === null) {
    const message = 'Say how far you agree with the answer.';
    throw new Problem('validation_error', { errors: [{ pointer: '/agreement', code: 'required', message }] });
  }
  const signed = await changeVersion(tx, 'audit_annotations', draft, now, {
    ...auditColumns(input),
    status: 'final',
    signed_at: now,
  });
  // Otherwise the answer has been amended meanwhile.
  if (signed.annotation_uuid === record.final_annotation_uuid) await setAuditState(tx, record, 'done');
  await audit.as(auditEvents.annotationSigned).succeeded(tx, eventOf(record, signed));
  if (signed.requires_correction || signed.safety_issue)
    await requireCorrection(tx, { audit, now }, record, signed);
  return signed;
}

async function requireCorrection(
  tx: Tx,
  { audit, now }: Work,
  record: CaseRecord,
  signed: AuditRow,
): Promise<void> {
  const detail = {
    annotation: signed.annotation_uuid,
    audit: signed.uuid,
    safety_issue: signed.safety_issue,
  };
  await audit.as(auditEvents.correctionRequired).succeeded(tx, { ...eventOf(record, signed), detail });
  const answer = await findFinal(tx, { final_annotation_uuid: signed.annotation_uuid });
  const author = answer?.physician_id ?? null;
  const reviewed = {
    ...record,
    final_annotation_uuid: signed.annotation_uuid,
    assigned_physician_id: author,
  };
  await enqueueNews(tx, reviewed, 'correction_required', now);
  if (answer === undefined || author === null) return;
  const payload = { case_uuid: record.uuid, annotation_uuid: answer.uuid };
  const notice: NewNotice<'audit.correction_required'> = { kind: 'audit.correction_required', payload };
  await addNotices(tx, { physicianId: author }, [notice], now);
}

const eventOf = (record: CaseRecord, { uuid, version }: AuditRow) => ({
  subject: { kind: 'audit', uuid },
  caseUuid: record.uuid,
  patientId: record.patient_id,
  detail: { version, kind: 'audit' },
});
