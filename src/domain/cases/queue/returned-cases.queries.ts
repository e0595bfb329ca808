import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseStatus } from '../record/case-status.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { reservedPool } from '../record/lane.ts';
import type { ReleaseReason } from '../record/release-reason.ts';

/** Has a case offered to others only; a later one for the same physician replaces the earlier one. */
export async function skipCase(
  tx: Tx,
  record: Pick<CaseRecord, 'uuid' | 'tenant_id'>,
  { physicianId, reason, until }: { physicianId: number; reason: ReleaseReason; until: Date },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('case_skips')
    .values({
      physician_id: physicianId,
      case_uuid: record.uuid,
      tenant_id: record.tenant_id,
      reason,
      until,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['physician_id', 'case_uuid']).doUpdateSet({ reason, until }))
    .execute();
}

/** The cases that are reserved for a physician, and the physician's own with one of `statuses`, locked. */
export async function lockCasesOf(
  tx: Tx,
  physicianId: number,
  statuses: readonly CaseStatus[],
): Promise<CaseRecord[]> {
  return await tx
    .selectFrom('request_records')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', 'queued'), eb('lane_pool', '=', reservedPool(physicianId))]),
        eb.and([eb('assigned_physician_id', '=', physicianId), eb('status', 'in', statuses)]),
      ]),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
}
