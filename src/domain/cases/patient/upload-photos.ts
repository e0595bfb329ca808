import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import type { IdempotentOutcome } from '../../../lib/idempotency/idempotency.ts';
import { storeImages } from '../../media/images/store-images.ts';
import { readCaseRules } from '../record/case-rules.ts';
import { addToCase, lockEditable } from './add-photos.ts';
import type { CaseImage, PhotoVerdict } from '../record/case-image.schemas.ts';
import { listCasePhotos, showPhotos } from '../photos/case-photos.queries.ts';
import { judgePhotos } from '../photos/judge-photos.ts';
import type { PhotoUpload } from './upload-form.ts';

/**
 * Stores photos and, where a case is named, adds them to it behind those that it has: all or nothing. They become photos of
 * the case's account, also where staff have made the case. Where it is asked
 * for, the AI service judges them; without it they are stored as well.
 *
 * @throws {Problem} `case_not_found`, `case_state_conflict`, `validation_error` for more than ten photos of a case, those of
 *   `storeImages`
 */
export async function uploadPhotos(
  context: Context,
  actor: AccountActor,
  route: string,
  { files, caseUuid, checkQuality, ...about }: PhotoUpload,
): Promise<IdempotentOutcome<{ images: CaseImage[] }>> {
  const { db } = context;
  const rules = await readCaseRules(context, actor.tenantId);
  const { reply, replayed } = await storeImages(context, actor, files, {
    route,
    content: [JSON.stringify([caseUuid, about])],
    async findOwner() {
      if (caseUuid === undefined) return actor.id;
      const now = context.request.receivedAt;
      const record = await inTenant(db, actor.tenantId, (tx) => lockEditable(tx, actor, caseUuid, now));
      return record.account_user_id ?? actor.id;
    },
    async onStored(tx, stored) {
      if (caseUuid !== undefined) await addToCase(tx, context, actor, { caseUuid, stored, about, rules });
    },
  });
  const uuids = reply.images.map(({ uuid }) => uuid);
  // A retry changes nothing about a case, which may have been submitted since: its photos have the verdicts that they had.
  const verdicts =
    checkQuality && !(replayed && caseUuid !== undefined)
      ? await judgePhotos(context, actor, uuids, caseUuid)
      : new Map<string, PhotoVerdict>();
  const images = await inTenant(db, actor.tenantId, async (tx) => {
    const ofCase = caseUuid === undefined ? [] : await listCasePhotos(tx, [caseUuid]);
    const stored = new Map(ofCase.map(({ image }) => [image.uuid, image]));
    return (await showPhotos(tx, uuids)).map(
      (image) =>
        stored.get(image.uuid) ?? {
          ...image,
          kind: about.kind ?? null,
          location_index: about.locationIndex ?? null,
          quality: verdicts.get(image.uuid) ?? null,
        },
    );
  });
  return { reply: { images }, replayed };
}
