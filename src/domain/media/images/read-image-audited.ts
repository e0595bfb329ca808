import type { AccountActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { findImage, type StoredImage, wasImageOf } from './image.queries.ts';
import { maySee } from './visible-images.ts';

/**
 * The row of an image, if this actor may see it. A reader other than its owner is written to the event log.
 * @throws {Problem} `not_found` for an image that is missing, deleted, another tenant's or not for this actor.
 */
export async function readImageAudited(
  { db, audit }: Pick<Context, 'db' | 'audit'>,
  actor: AccountActor,
  uuid: string,
): Promise<StoredImage> {
  return await inTenant(db, actor.tenantId, async (tx) => {
    const image = await findImage(tx, uuid);
    if (image === undefined || !maySee(image, actor)) {
      // One of their own that has been deleted hides nothing.
      const isOwn = await wasImageOf(tx, uuid, actor.id);
      throw new Problem('not_found', isOwn ? {} : { conceals: { kind: 'image', uuid } });
    }
    if (image.owner_user_id !== actor.id) {
      await audit.as(auditEvents.imageRead).succeeded(tx, { subject: { kind: 'image', uuid } });
    }
    return image;
  });
}
