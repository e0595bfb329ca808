import type { AccountActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { describeError } from '../../../lib/telemetry/log.ts';
import { checkImage } from '../../intake/diagnoses/check-image.ts';
import { imagePath } from '../../media/images/image.schemas.ts';
import type { PhotoVerdict } from '../record/case-image.schemas.ts';
import { storePhotoVerdict } from './case-photos.queries.ts';

/** All of them: the uploading client waits, however patient the gateway is with the AI service otherwise. */
const withinMs = 8000;

/**
 * Has the AI service judge stored photos of the caller, one after another. Never throws: a photo that it does not judge, or
 * not in time, has no verdict.
 * @param caseUuid the case that remembers the verdicts.
 */
export async function judgePhotos(
  context: Context,
  actor: AccountActor,
  uuids: readonly string[],
  caseUuid: string | undefined,
): Promise<ReadonlyMap<string, PhotoVerdict>> {
  const { db, log, audit, config } = context;
  const verdicts = new Map<string, PhotoVerdict>();
  const end = performance.now() + withinMs;
  const asking = { ...context, audit: audit.as(auditEvents.caseAiAsked) };
  for (const uuid of new Set(uuids)) {
    const leftMs = Math.floor(end - performance.now());
    if (leftMs <= 0) break;
    try {
      const timeoutMs = Math.min(leftMs, config.AI_TIMEOUT_MS);
      const verdict = await checkImage(asking, actor, { imageUrl: imagePath(uuid) }, { timeoutMs });
      const { isValid, score, issues } = verdict;
      verdicts.set(uuid, { isValid, score, issues });
      if (caseUuid !== undefined) {
        await inTenant(db, actor.tenantId, (tx) =>
          storePhotoVerdict(tx, { caseUuid, imageUuid: uuid }, verdict),
        );
      }
    } catch (error) {
      log.warn('photo_not_judged', { image: uuid, ...describeError(error) });
      break;
    }
  }
  return verdicts;
}
