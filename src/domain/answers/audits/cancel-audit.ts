import { auditEvents } from '../../../contract/audit.ts';
import { Problem } from '../../../contract/problem.ts';
import { versionConflict } from '../../../contract/version-conflict.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { lockVisibleCase } from '../../cases/record/visible-cases.ts';
import { requireCapability, requirePhysician, type Staff } from '../../identity/groups/staff.ts';
import type { AnswerWork, Cancellation } from '../annotations/answer-work.ts';
import { changeVersion } from '../annotations/annotation.queries.ts';
import { type AuditRow, findOwnAudit } from './audit.queries.ts';

/**
 * Takes the caller's draft of an audit back.
 * @throws {Problem} `case_not_found`, `capability_required`, `physician_profile_required`, `annotation_not_found`,
 *   `version_conflict`, `annotation_published` once it is signed
 */
export async function cancelAudit(
  tx: Tx,
  { audit, now }: Pick<AnswerWork, 'audit' | 'now'>,
  staff: Staff,
  { caseUuid, reason, version }: Cancellation,
): Promise<AuditRow> {
  const record = await lockVisibleCase(tx, staff, caseUuid);
  requireCapability(staff, 'case.audit');
  const own = await findOwnAudit(tx, record, requirePhysician(staff).id);
  if (own === undefined) throw new Problem('annotation_not_found');
  if (own.version !== version) throw versionConflict(own.version);
  if (own.status !== 'draft') throw new Problem('annotation_published');
  const set = { status: 'cancelled' as const, cancelled_at: now, cancel_reason: reason };
  const cancelled = await changeVersion(tx, 'audit_annotations', own, now, set);
  await audit.as(auditEvents.annotationCancelled).succeeded(tx, {
    subject: { kind: 'audit', uuid: cancelled.uuid },
    caseUuid: record.uuid,
    patientId: record.patient_id,
    detail: { version: cancelled.version, kind: 'audit' },
  });
  return cancelled;
}
