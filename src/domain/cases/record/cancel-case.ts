import { auditEvents } from '../../../contract/audit.ts';
import type { AuditContext } from '../../../lib/app/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { enqueueNews } from '../../announce/news/enqueue-news.ts';
import { isUrgent } from '../../intake/red-flags/red-flags.schemas.ts';
import { flagCodes } from './case-flags.ts';
import { applyTransition } from './apply-transition.ts';
import type { CaseRecord } from './case.queries.ts';

/**
 * Cancels a case (T20); a lease ends with it. Of a case with an urgent flag an event of its own is written, because someone
 * should ask its patient.
 *
 * @param record locked.
 * @throws {Problem} `case_state_conflict`
 */
export async function cancelCase(
  tx: Tx,
  { audit, now }: { audit: AuditContext; now: Date },
  record: CaseRecord,
  { by, reason }: { by: 'account' | 'staff'; reason: string | undefined },
): Promise<CaseRecord> {
  const cancelled = await applyTransition(tx, { audit, now }, record, {
    transition: 'cancel',
    by,
    set: { status_reason: reason ?? null, lease_expires_at: null, held_at: null, remind_at: null },
    detail: { urgency: record.urgency },
  });
  if (!isUrgent(record.urgency)) return cancelled;
  await audit.as(auditEvents.caseCancelledWithRedFlag).succeeded(tx, {
    subject: { kind: 'case', uuid: record.uuid },
    caseUuid: record.uuid,
    patientId: record.patient_id,
    detail: { urgency: record.urgency, flags: flagCodes(record.red_flags) },
  });
  await enqueueNews(tx, cancelled, 'cancelled_with_flags', now);
  return cancelled;
}
