import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import type { IdempotentOutcome } from '../../../lib/idempotency/idempotency.ts';
import { MAX_IMAGES } from '../../intake/anamnesis/form/images.ts';
import type { StoredImages } from '../../media/images/image.schemas.ts';
import { storeImages } from '../../media/images/store-images.ts';
import { reasonsLeft } from '../admission/reasons-left.ts';
import { attachPhotos, listCasePhotos, restatePhotos, showPhotos } from '../photos/case-photos.queries.ts';
import { judgePhotos } from '../photos/judge-photos.ts';
import { applyTransition } from '../record/apply-transition.ts';
import type { CaseImage, PhotoVerdict } from '../record/case-image.schemas.ts';
import { type CaseRules, readCaseRules } from '../record/case-rules.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { lockOwnCase } from '../record/own-case.ts';
import { requirePatientAction } from '../record/patient-actions.ts';
import type { PhotoUpload } from './upload-form.ts';

/**
 * Stores photos and, where a case is named, adds them to it behind those that it has: all or nothing. They become photos of
 * the case's account, also where staff have made the case. Where it is asked for, the AI service judges them; without it they
 * are stored as well.
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

type About = Pick<PhotoUpload, 'kind' | 'locationIndex'>;

/** @throws {Problem} `case_not_found`, `case_state_conflict` */
async function lockEditable(tx: Tx, actor: AccountActor, caseUuid: string, now: Date): Promise<CaseRecord> {
  const record = await lockOwnCase(tx, actor, caseUuid);
  requirePatientAction(record, 'update', now);
  return record;
}

/**
 * Adds stored photos to a case, behind those that it has. What the upload states about a photo that the case has already replaces
 * what an earlier one stated.
 * @throws {Problem} `case_not_found`, `case_state_conflict`, `validation_error` for more than ten photos
 */
async function addToCase(
  tx: Tx,
  { audit, config, request }: Context,
  actor: AccountActor,
  {
    caseUuid,
    stored,
    about,
    rules,
  }: { caseUuid: string; stored: StoredImages; about: About; rules: CaseRules },
): Promise<void> {
  const record = await lockEditable(tx, actor, caseUuid, request.receivedAt);
  const present = (await listCasePhotos(tx, [caseUuid])).map(({ image }) => image.uuid);
  const named = [...new Set(stored.images.map(({ uuid }) => uuid))];
  const added = named.filter((uuid) => !present.includes(uuid));
  if (present.length + added.length > MAX_IMAGES) {
    const message = `A case has at most ${MAX_IMAGES} photos.`;
    throw new Problem('validation_error', { errors: [{ pointer: '/images', code: 'too_many', message }] });
  }
  const stated = { kind: about.kind, location_index: about.locationIndex };
  const again = named.filter((uuid) => present.includes(uuid));
  const isRestated = await restatePhotos(tx, record, again, stated);
  if (added.length === 0 && !isRestated) return;
  const now = request.receivedAt;
  const photos = added.map((uuid) => ({ uuid, ...stated }));
  await attachPhotos(tx, record, photos, now);
  await applyTransition(tx, { audit, now }, record, {
    transition: 'update',
    by: 'account',
    ...(record.status === 'queued' && {
      set: {
        eligibility_reasons: await reasonsLeft(tx, record, {
          rules,
          imageUrlHosts: config.IMAGE_URL_HOSTS,
          now,
        }),
      },
    }),
    detail: { photos: present.length + added.length },
  });
}
