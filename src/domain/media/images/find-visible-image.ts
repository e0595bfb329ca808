import type { Db } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import type { AccountActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { AuditContext } from '../../../lib/audit.ts';
import { Problem } from '../../../contract/problem.ts';
import { findImage, type StoredImage, wasImageOf } from './image.queries.ts';
import { maySee } from './visible-images.ts';

/**
 * The image, if this user may see it; that somebody else than the owner looks at it is written down first.
 * @throws {Problem} `not_found` for an image that is missing, deleted, another tenant's or not for this user.
 */
export async function findVisibleImage(
  db: Db,
  actor: AccountActor,
  uuid: string,
  audit: AuditContext,
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
