import type { Db } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { Problem } from '../../../contract/problem.ts';
import { recordSuccess } from '../../platform/events/record-event.ts';
import { findImage, type StoredImage, wasImageOf } from './image.queries.ts';
import { maySee } from './visible-images.ts';

export interface ImageReader {
  id: number;
  tenantId: number;
  role: string;
  sessionUuid: string;
}

/**
 * The image, if this user may see it; that somebody else than the owner looks at it is written down first.
 * @throws {Problem} `not_found` for an image that is missing, deleted, another tenant's or not for this user.
 */
export async function findVisibleImage(
  db: Db,
  user: ImageReader,
  uuid: string,
  request: { id: string; ipPrefix: string | undefined },
): Promise<StoredImage> {
  return await inTenant(db, user.tenantId, async (tx) => {
    const image = await findImage(tx, uuid);
    if (image === undefined || !maySee(image, user)) {
      // One of their own that has been deleted hides nothing.
      const isOwn = await wasImageOf(tx, uuid, user.id);
      throw new Problem('not_found', isOwn ? {} : { conceals: { kind: 'image', uuid } });
    }
    if (image.owner_user_id !== user.id) {
      const { tenantId, id: userId, sessionUuid } = user;
      await recordSuccess(
        tx,
        { tenantId, userId, sessionUuid, request },
        {
          category: 'access',
          action: 'image_read',
          subject: { kind: 'image', uuid },
        },
      );
    }
    return image;
  });
}
