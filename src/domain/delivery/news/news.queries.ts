import type { Selectable } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { RequestRecords } from '../../../lib/db/tables.ts';
import { respreadKey, type NewsPayload } from '../../announce/news/news.ts';
import { devicesInUse } from '../../identity/devices/device.queries.ts';

/** The row of a case that news is about. */
export type NewsCase = Selectable<RequestRecords>;

/** @returns undefined for a case that has been erased. */
export async function findNewsCase(tx: Tx, caseUuid: string): Promise<NewsCase | undefined> {
  return await tx
    .selectFrom('request_records')
    .selectAll()
    .where('uuid', '=', caseUuid)
    .where('erased_at', 'is', null)
    .executeTakeFirst();
}

/** The number of a case's patient, also of an erased case. */
export async function findPatientOf(tx: Tx, caseUuid: string): Promise<number | undefined> {
  const found = await tx
    .selectFrom('request_records')
    .select('patient_id')
    .where('uuid', '=', caseUuid)
    .executeTakeFirst();
  return found?.patient_id;
}

/**
 * The patient counts as notified, unless there is other news meanwhile. The version of the case stays, because nothing that a
 * client could have read differently depends on it.
 */
export async function setNotified(tx: Tx, news: NewsPayload, now: Date): Promise<void> {
  await tx
    .updateTable('request_records')
    .set({ notified_at: now })
    .where('uuid', '=', news.case_uuid)
    .where('notified_at', 'is', null)
    .where('final_annotation_uuid', 'is not distinct from', news.annotation_uuid)
    .where('held_at', 'is not distinct from', news.held_at === null ? null : new Date(news.held_at))
    .execute();
}

/** Removes the message that spreads news to those on call again. */
export async function deleteRespread(tx: Tx, news: NewsPayload): Promise<void> {
  await tx.deleteFrom('outbox_messages').where('dedupe_key', '=', respreadKey(news)).execute();
}

/** The devices in use of some accounts, by uuid. */
export async function findDevicesOf(tx: Tx, userIds: readonly number[], now: Date) {
  return await devicesInUse(tx, now)
    .select(['push_devices.user_id', 'push_devices.uuid', 'platform'])
    .where('push_devices.user_id', 'in', userIds)
    .orderBy('push_devices.uuid')
    .execute();
}

/** A device with its sealed token; undefined where it was removed or its session has ended. */
export async function findDeviceInUse(
  tx: Tx,
  { uuid, userId }: { uuid: string | null; userId: number },
  now: Date,
) {
  return await devicesInUse(tx, now)
    .select(['push_devices.uuid', 'platform', 'token'])
    .where('push_devices.uuid', '=', uuid)
    .where('push_devices.user_id', '=', userId)
    .executeTakeFirst();
}

export async function deleteDevice(tx: Tx, uuid: string): Promise<void> {
  await tx.deleteFrom('push_devices').where('uuid', '=', uuid).execute();
}
