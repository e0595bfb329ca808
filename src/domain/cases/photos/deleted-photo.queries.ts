import type { Tx } from '../../../lib/db/connect.ts';

/** Locks every case that has, or had, a photo. */
export async function lockCasesWith(tx: Tx, imageUuid: string): Promise<void> {
  await tx
    .selectFrom('request_records as record')
    .innerJoin('case_images as attached', 'attached.case_uuid', 'record.uuid')
    .select('record.uuid')
    .where('attached.image_uuid', '=', imageUuid)
    .orderBy('record.uuid')
    .forUpdate('record')
    .execute();
}

export async function lockOwnImage(tx: Tx, ownerId: number, imageUuid: string) {
  return await tx
    .selectFrom('images')
    .select(['blob_name', 'thumbnail_blob_name', 'deleted_at'])
    .where('uuid', '=', imageUuid)
    .where('owner_user_id', '=', ownerId)
    .forUpdate()
    .executeTakeFirst();
}

/** @returns the cases that have lost the photo. */
export async function takeOffCases(tx: Tx, imageUuid: string, now: Date): Promise<string[]> {
  const lost = await tx
    .updateTable('case_images')
    .set({ removed_at: now })
    .where('image_uuid', '=', imageUuid)
    .where('removed_at', 'is', null)
    .returning('case_uuid')
    .execute();
  return lost.map(({ case_uuid: caseUuid }) => caseUuid);
}

export async function markDeleted(tx: Tx, imageUuid: string, now: Date): Promise<void> {
  await tx.updateTable('images').set({ deleted_at: now }).where('uuid', '=', imageUuid).execute();
}
