import type { AccountActor } from '../../../contract/actor.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { isVisibleTo } from '../record/visible-cases.queries.ts';
import { isPartOf } from './part-of-case.ts';

/** Of these photos, those that are part of a case that the caller may see as staff. */
export async function findCasePhotos(
  tx: Tx,
  actor: AccountActor,
  imageUuids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (actor.role === 'patient' || imageUuids.length === 0) return new Set();
  const staff = await loadStaff(tx, actor);
  const rows = await tx
    .selectFrom('case_images as shown')
    .innerJoin('request_records as record', (join) =>
      join.onRef('record.tenant_id', '=', 'shown.tenant_id').onRef('record.uuid', '=', 'shown.case_uuid'),
    )
    .select('shown.image_uuid')
    .distinct()
    .where('shown.image_uuid', 'in', imageUuids)
    .where(isPartOf('shown', 'record'))
    .where(isVisibleTo(staff, 'record'))
    .execute();
  return new Set(rows.map((row) => row.image_uuid));
}
