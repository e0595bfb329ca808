import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { MAX_IMAGES } from '../../intake/anamnesis/form/images.ts';
import type { StoredImages } from '../../media/images/image.schemas.ts';
import type { CaseRules } from '../record/case-rules.ts';
import { lockOwnCase } from '../record/own-case.ts';
import { reasonsLeft } from '../admission/reasons-left.ts';
import { applyTransition } from '../record/apply-transition.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { requirePatientAction } from '../record/patient-actions.ts';
import { attachPhotos, listCasePhotos, restatePhotos } from '../photos/case-photos.queries.ts';
import type { PhotoUpload } from './upload-form.ts';

type About = Pick<PhotoUpload, 'kind' | 'locationIndex'>;

/** @throws {Problem} `case_not_found`, `case_state_conflict` */
export async function lockEditable(
  tx: Tx,
  actor: AccountActor,
  caseUuid: string,
  now: Date,
): Promise<CaseRecord> {
  const record = await lockOwnCase(tx, actor, caseUuid);
  requirePatientAction(record, 'update', now);
  return record;
}

/**
 * Adds stored photos to a case, behind those that it has. What the upload states about a photo that the case has already replaces
 * what an earlier one stated.
 * @throws {Problem} `case_not_found`, `case_state_conflict`, `validation_error` for more than ten photos
 */
export async function addToCase(
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
