import { sql } from 'kysely';
import type { AccountActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { findImage } from '../../media/images/image.queries.ts';
import { type ReadableImage, readable } from '../../media/images/read-image.ts';
import { imageUuidIn } from './case-photos.queries.ts';

const thumbnail = /^([^/]+)\/thumbnail\.jpg$/;

/**
 * A photo by its path as cases name it: for its owner, and for staff who may see a case that it is in. A reader other than its
 * owner is written to the event log.
 * @param path `<uuid>.jpg`, `<uuid>.png` or `<uuid>/thumbnail.jpg`
 * @throws {Problem} `image_not_found`
 */
export async function readPhoto(context: Context, actor: AccountActor, path: string): Promise<ReadableImage> {
  const { db, audit } = context;
  const ofThumbnail = thumbnail.exec(path)?.[1];
  const uuid = imageUuidIn(ofThumbnail ?? path);
  if (uuid === undefined) throw new Problem('image_not_found');
  const image = await inTenant(db, actor.tenantId, async (tx) => {
    const found = await findImage(tx, uuid);
    const isNamed = ofThumbnail === undefined ? found?.name === path : ofThumbnail === uuid;
    if (found === undefined || !isNamed) throw new Problem('image_not_found');
    if (found.owner_user_id === actor.id) return found;
    if (!(await staffMaySee(tx, actor, uuid)))
      throw new Problem('image_not_found', { conceals: { kind: 'image', uuid } });
    await audit.as(auditEvents.imageRead).succeeded(tx, { subject: { kind: 'image', uuid } });
    return found;
  });
  return readable(context, actor, image, ofThumbnail === undefined ? 'original' : 'thumbnail');
}

/**
 * Admins see the photos of every submitted case; physicians those of cases that wait in their lanes, and of those that they
 * have or had. Both see those of cases that they have made for a patient.
 */
async function staffMaySee(tx: Tx, actor: AccountActor, imageUuid: string): Promise<boolean> {
  if (actor.role === 'patient') return false;
  const { rows } = await sql`
    SELECT FROM case_images i JOIN request_records r ON r.tenant_id = i.tenant_id AND r.uuid = i.case_uuid
    LEFT JOIN physicians p ON p.user_id = ${actor.id}
    WHERE i.image_uuid = ${imageUuid} AND (r.created_by_user_id = ${actor.id}
      OR (r.submitted_at IS NOT NULL AND ${actor.role === 'admin'})
      OR r.assigned_physician_id = p.id
      OR (r.status = 'queued'
        AND (r.lane_pool IN ('physician:' || p.id, p.private_pool)
          OR (r.lane_pool = 'general' AND coalesce((p.admin_settings ->> 'general_pool')::boolean, true)))
        AND (r.lane_language = 'any'
          OR r.lane_language IN (SELECT jsonb_array_elements_text(
            coalesce(p.settings -> 'review_languages', jsonb_build_array(p.language_preference)))))))
    LIMIT 1`.execute(tx);
  return rows.length > 0;
}
