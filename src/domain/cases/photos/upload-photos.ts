import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import type { IdempotentOutcome } from '../../../lib/idempotency/idempotency.ts';
import { storeImages } from '../../media/images/store-images.ts';
import { readCaseRules } from '../case-rules.ts';
import { addToCase, lockEditable } from './add-photos.ts';
import type { CaseImage, PhotoVerdict } from './case-image.schemas.ts';
import { listCasePhotos, showPhotos } from './case-photos.queries.ts';
import { judgePhotos } from './judge-photos.ts';
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
  const verdicts = checkQuality
    ? await findVerdicts(context, actor, { uuids, caseUuid, replayed })
    : new Map<string, PhotoVerdict>();
  const images = await inTenant(db, actor.tenantId, (tx) => showPhotos(tx, uuids));
  const shown = images.map((image) => ({
    ...image,
    kind: about.kind ?? null,
    location_index: about.locationIndex ?? null,
    quality: verdicts.get(image.uuid) ?? null,
  }));
  return { reply: { images: shown }, replayed };
}

/** A retry changes nothing about a case, which may have been submitted since: its photos have the verdicts that they had. */
async function findVerdicts(
  context: Context,
  actor: AccountActor,
  { uuids, caseUuid, replayed }: { uuids: string[]; caseUuid: string | undefined; replayed: boolean },
): Promise<ReadonlyMap<string, PhotoVerdict>> {
  if (caseUuid === undefined || !replayed) return await judgePhotos(context, actor, uuids, caseUuid);
  const photos = await inTenant(context.db, actor.tenantId, (tx) => listCasePhotos(tx, [caseUuid]));
  return new Map(
    photos.flatMap(({ image: { uuid, quality } }) => (quality === null ? [] : [[uuid, quality] as const])),
  );
}
