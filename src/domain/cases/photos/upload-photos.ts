import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import type { IdempotentOutcome } from '../../../lib/idempotency/idempotency.ts';
import { MAX_IMAGES } from '../../intake/anamnesis/form/images.ts';
import type { StoredImages } from '../../media/images/image.schemas.ts';
import { storeImages } from '../../media/images/store-images.ts';
import { lockOwnCase } from '../cases/own-case.ts';
import { applyTransition, type CaseRecord } from '../state/apply-transition.ts';
import { requirePatientAction } from '../state/patient-actions.ts';
import type { CaseImage, PhotoVerdict } from './case-image.schemas.ts';
import { attachPhotos, listCasePhotos, showPhotos } from './case-photos.queries.ts';
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
  const record =
    caseUuid === undefined
      ? undefined
      : await inTenant(db, actor.tenantId, (tx) =>
          lockEditable(tx, actor, caseUuid, context.request.receivedAt),
        );
  const { reply, replayed } = await storeImages(context, actor, files, {
    route,
    content: [JSON.stringify([caseUuid, about])],
    ownerId: record?.account_user_id ?? actor.id,
    async onStored(tx, stored) {
      if (caseUuid !== undefined) await addToCase(tx, context, actor, { caseUuid, stored, about });
    },
  });
  const uuids = reply.images.map(({ uuid }) => uuid);
  const verdicts: ReadonlyMap<string, PhotoVerdict> = checkQuality
    ? await judgePhotos(context, actor, uuids, caseUuid)
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

async function lockEditable(tx: Tx, actor: AccountActor, caseUuid: string, now: Date): Promise<CaseRecord> {
  const record = await lockOwnCase(tx, actor, caseUuid);
  requirePatientAction(record, 'update', now);
  return record;
}

async function addToCase(
  tx: Tx,
  { audit, request }: Context,
  actor: AccountActor,
  { caseUuid, stored, about }: { caseUuid: string; stored: StoredImages; about: About },
): Promise<void> {
  const record = await lockEditable(tx, actor, caseUuid, request.receivedAt);
  const present = (await listCasePhotos(tx, [caseUuid])).map(({ image }) => image.uuid);
  const added = [...new Set(stored.images.map(({ uuid }) => uuid))].filter((uuid) => !present.includes(uuid));
  if (present.length + added.length > MAX_IMAGES) {
    const message = `A case has at most ${MAX_IMAGES} photos.`;
    throw new Problem('validation_error', { errors: [{ pointer: '/images', code: 'too_many', message }] });
  }
  if (added.length === 0) return;
  const now = request.receivedAt;
  const photos = added.map((uuid) => ({ uuid, kind: about.kind, location_index: about.locationIndex }));
  await attachPhotos(tx, record, photos, now);
  await applyTransition(tx, { audit, now }, record, {
    transition: 'update',
    by: 'account',
    detail: { photos: present.length + added.length },
  });
}
type About = Pick<PhotoUpload, 'kind' | 'locationIndex'>;
