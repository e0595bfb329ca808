import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { countPatientsRead } from '../../platform/throttle/count-patients-read.ts';
import { findVisibleCase, isHolder } from '../../cases/record/visible-cases.ts';
import { extendLease } from '../../cases/queue/lease.ts';
import { readQueueRules } from '../../cases/record/queue-rules.ts';
import type { CaseDetail } from './case-detail.schemas.ts';
import { recordRead } from '../../cases/record/record-read.ts';
import { showDetail } from './show-detail.ts';

/**
 * A case for staff who may see it. Reading it puts the end of the holder's lease off.
 * @throws {Problem} `case_not_found`
 */
export async function readCaseDetail(
  context: Context,
  actor: AccountActor,
  uuid: string,
): Promise<CaseDetail> {
  const rules = await readQueueRules(context, actor.tenantId);
  const { receivedAt: now, language } = context.request;
  return await inTenant(context.db, actor.tenantId, async (tx) => {
    const staff = await loadStaff(tx, actor);
    const found = await findVisibleCase(tx, staff, uuid);
    const record = isHolder(staff, found, now) ? await extendLease(tx, { now, rules }, found) : found;
    await recordRead(tx, context, actor, record);
    const shown = await showDetail(tx, staff, record, { language, now });
    await countPatientsRead(tx, context, actor, [shown.patient.uuid]);
    return shown;
  });
}
