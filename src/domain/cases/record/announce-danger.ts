import { auditEvents } from '../../../contract/audit.ts';
import type { AuditContext } from '../../../lib/app/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { enqueueNews } from '../../announce/news/enqueue-news.ts';
import type { CaseRecord } from './case.queries.ts';
import { flagCodes, flagsOf, isMoreDangerous } from './case-flags.ts';

/**
 * An event of its own for a case that becomes an emergency, by its flags or by the level that staff give it; physicians on call
 * get the news.
 */
export async function recordEmergency(
  tx: Tx,
  audit: AuditContext,
  before: Pick<CaseRecord, 'urgency' | 'triage_level'>,
  record: CaseRecord,
): Promise<void> {
  const { uuid, tenant_id: tenantId, patient_id: patientId, urgent_flags: flags } = record;
  const becomes = (column: 'urgency' | 'triage_level') =>
    record[column] === 'emergency' && before[column] !== 'emergency';
  if (!becomes('urgency') && !becomes('triage_level')) return;
  await audit.as(auditEvents.caseEmergency).succeeded(tx, {
    tenantId,
    subject: { kind: 'case', uuid },
    caseUuid: uuid,
    patientId,
    detail: { flags: flagCodes(flags) },
  });
  await enqueueNews(tx, record, 'emergency', record.updated_at);
}

/**
 * The patient's message about a danger that the case did not have before.
 * @param isPatientWaiting whether the patient waits for the reply, which has all that is found.
 */
export async function announceDanger(
  tx: Tx,
  { now, isPatientWaiting }: { now: Date; isPatientWaiting: boolean },
  before: CaseRecord,
  record: CaseRecord,
): Promise<void> {
  if (isPatientWaiting || !isMoreDangerous(flagsOf(record), before)) return;
  await enqueueNews(tx, record, 'flags_found', now);
}
