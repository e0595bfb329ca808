import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { announceDanger, recordEmergency } from '../../cases/record/announce-danger.ts';
import { readCaseRules } from '../../cases/record/case-rules.ts';
import type { CaseDetail } from '../cases/case-detail.schemas.ts';
import { showDetail } from '../cases/show-detail.ts';
import { correctRecord } from './correct-record.ts';
import { readHandlingRules } from './handling-rules.ts';
import { lockForAction } from './lock-for-action.ts';
import type { RecordUpdate } from './record-update.schemas.ts';

/**
 * Corrects a case: its answers, whom it is about, how soon it is to be answered, where it waits. Its red flags are judged
 * anew by our own rules, and only grow. A case for which an urgent flag is found waits in the queue from then on, unless it is
 * in hand; its patient hears of it.
 *
 * @param version that the client has read.
 * @throws {Problem} `case_not_found`, `version_conflict`, `case_state_conflict`, `lease_lost`, `capability_required`,
 *   `validation_error`, `patient_not_found`, `anamnesis_invalid`, `age_mismatch`, `payload_too_large`
 */
export async function updateRecord(
  context: Context,
  actor: AccountActor,
  uuid: string,
  input: RecordUpdate,
  version: number,
): Promise<CaseDetail> {
  const rules = {
    handling: await readHandlingRules(context, actor.tenantId),
    cases: await readCaseRules(context, actor.tenantId),
  };
  const { receivedAt: now, language } = context.request;
  const shown = await inTenant(context.db, actor.tenantId, async (tx) => {
    const asked = { action: 'update_record' } as const;
    const { staff, record } = await lockForAction(tx, { context, actor }, uuid, asked, version);
    const updated = await correctRecord(tx, context, staff, record, { input, rules });
    await recordEmergency(tx, context.audit, record, updated);
    await announceDanger(tx, { now, isPatientWaiting: false }, record, updated);
    return await showDetail(tx, staff, updated, { language, now });
  });
  context.outbox.kick();
  return shown;
}
