import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import { isVisibleTo } from '../record/visible-cases.queries.ts';

/**
 * Whether a photo is part of a case: attached, or taken off after the submission, because a physician may have seen it.
 * One that was taken off the draft is the owner's alone; an edit that submits has one time for both, hence `>`.
 *
 * @param attached alias of `case_images` in the query.
 * @param record alias of `request_records`.
 */
export function isPartOf(attached: string, record: string): RawBuilder<boolean> {
  const removedAt = sql.ref(`${attached}.removed_at`);
  return sql<boolean>`(${removedAt} IS NULL OR ${removedAt} > ${sql.ref(`${record}.submitted_at`)})`;
}

/** Of these photos, those that are part of a case that staff may see. */
export async function listPhotosVisibleTo(
  tx: Tx,
  staff: Staff,
  imageUuids: readonly string[],
): Promise<string[]> {
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
  return rows.map((row) => row.image_uuid);
}

/** Whether a photo is part of a case that was submitted. */
export async function isSubmitted(tx: Tx, imageUuid: string): Promise<boolean> {
  const found = await tx
    .selectFrom('case_images as attached')
    .innerJoin('request_records as record', 'record.uuid', 'attached.case_uuid')
    .select('record.uuid')
    .where('attached.image_uuid', '=', imageUuid)
    .where('record.submitted_at', 'is not', null)
    .where(isPartOf('attached', 'record'))
    .executeTakeFirst();
  return found !== undefined;
}
