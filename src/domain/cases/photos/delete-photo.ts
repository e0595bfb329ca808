import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { describeError } from '../../../lib/telemetry/log.ts';
import { applyTransition } from '../record/apply-transition.ts';
import { lockCase } from '../record/case.queries.ts';
import { imageUuidIn, listCasePhotos } from './case-photos.queries.ts';
import { lockCasesWith, lockOwnImage, markDeleted, takeOffCases } from './deleted-photo.queries.ts';
import { isSubmitted } from './part-of-case.queries.ts';

/**
 * Deletes a photo of one's own; drafts that have it lose it, and have a new version. Once it was submitted it is part of a
 * medical record, unless it was taken off before.
 * @throws {Problem} `image_not_found`, `image_in_use`
 */
export async function deletePhoto(context: Context, actor: AccountActor, name: string): Promise<void> {
  const { db, blobs, log, audit, request } = context;
  const uuid = imageUuidIn(name);
  if (uuid === undefined) throw new Problem('image_not_found');
  const gone = await inTenant(db, actor.tenantId, async (tx) => {
    // Cases before the photo, as a submission locks them: one of the two waits and sees what the other has done.
    await lockCasesWith(tx, uuid);
    const image = await lockOwnImage(tx, actor.id, uuid);
    if (image === undefined) throw new Problem('image_not_found', { conceals: { kind: 'image', uuid } });
    await audit.succeeded(tx, { subject: { kind: 'image', uuid } });
    if (image.deleted_at !== null) return undefined;
    if (await isSubmitted(tx, uuid)) throw new Problem('image_in_use');
    const now = request.receivedAt;
    const lost = await takeOffCases(tx, uuid, now);
    await markDeleted(tx, uuid, now);
    for (const caseUuid of lost) await raiseVersion(tx, { audit, now }, caseUuid);
    return image;
  });
  if (gone === undefined) return;
  try {
    for (const blob of [gone.blob_name, gone.thumbnail_blob_name])
      if (blob !== null) await blobs.remove(blob);
  } catch (error) {
    // The photo is invisible from here on; the row names the blob that is to go.
    log.warn('deleted_image_blob_left', { image: uuid, ...describeError(error) });
  }
}

/** Another device that has read the draft with the photo must read it again before it changes it. */
async function raiseVersion(
  tx: Tx,
  at: { audit: Context['audit']; now: Date },
  caseUuid: string,
): Promise<void> {
  const record = await lockCase(tx, caseUuid);
  // A draft that was cancelled or has expired changes no more.
  if (record?.status !== 'draft') return;
  const photos = (await listCasePhotos(tx, [caseUuid])).length;
  await applyTransition(tx, at, record, { transition: 'update', by: 'account', detail: { photos } });
}
