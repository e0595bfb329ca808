import type { AccountActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import { Problem, type ProblemCode } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { findImage, type StoredImage, wasImageOf } from './image.queries.ts';
import { onlyVisible } from './visible-images.ts';

export interface NamedImage {
  uuid: string;
  /** Its name, where the caller names it. */
  name?: string;
}

/**
 * The row of an image, if this actor may see it. A reader other than its owner is written to the event log.
 * @param missing what is answered for an image that is missing, deleted, another tenant's, not for this actor or of another
 *   name; `not_found` where absent.
 * @throws {Problem} that one
 */
export async function readImageAudited(
  context: Pick<Context, 'db' | 'audit' | 'findCasePhotos'>,
  actor: AccountActor,
  { uuid, name }: NamedImage,
  missing: ProblemCode = 'not_found',
): Promise<StoredImage> {
  return await inTenant(context.db, actor.tenantId, async (tx) => {
    const found = await findImage(tx, uuid);
    const [image] = found === undefined ? [] : await onlyVisible(tx, context, actor, [found]);
    if (image === undefined || (name ?? image.name) !== image.name) {
      // One of their own that has been deleted hides nothing.
      const isOwn = await wasImageOf(tx, uuid, actor.id);
      throw new Problem(missing, isOwn ? {} : { conceals: { kind: 'image', uuid } });
    }
    if (image.owner_user_id !== actor.id) {
      await context.audit.as(auditEvents.imageRead).succeeded(tx, { subject: { kind: 'image', uuid } });
    }
    return image;
  });
}
