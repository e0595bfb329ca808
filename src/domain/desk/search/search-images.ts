import { sql } from 'kysely';
import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { countPatientsRead } from '../../platform/throttle/count-patients-read.ts';
import { isVisibleTo } from '../../cases/record/visible-cases.queries.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { isNamelessTo, showSummaries } from '../cases/show-summaries.ts';
import { type PhotoRow, toCaseImage } from '../../cases/photos/case-photos.queries.ts';
import { isPartOf } from '../../cases/photos/part-of-case.queries.ts';
import type { ImageMatch } from './image-match.schemas.ts';
import { findOwners, ownerOf } from './photo-owners.queries.ts';

type OwnedPhoto = Omit<PhotoRow, 'kind' | 'location_index' | 'quality'> & { owner_user_id: number | null };
/** A case as one that has a photo. */
type CaseWithPhoto = CaseRecord &
  Pick<PhotoRow, 'kind' | 'location_index' | 'quality'> & { image_uuid: string };

const maxCases = 20;

/**
 * Photos with the same bytes, each with its owner and the cases that the caller may see; those in no such case are left out.
 * @param hash SHA-256 in hexadecimal
 */
export async function searchImages(
  context: Context,
  actor: AccountActor,
  { hash, limit }: { hash: string; limit: number },
): Promise<{ items: ImageMatch[] }> {
  const { receivedAt: now, language } = context.request;
  return await inTenant(context.db, actor.tenantId, async (tx) => {
    const staff = await loadStaff(tx, actor);
    const visible = sql`${isPartOf('shown', 'r')} AND ${isVisibleTo(staff, 'r')}`;
    const cases = sql`case_images shown JOIN request_records r ON r.tenant_id = shown.tenant_id AND r.uuid = shown.case_uuid`;
    const { rows: photos } = await sql<OwnedPhoto>`
      SELECT i.* FROM images i
      WHERE i.sha256 = ${Buffer.from(hash, 'hex')} AND i.state = 'stored' AND i.deleted_at IS NULL
        AND EXISTS (SELECT FROM ${cases} WHERE shown.image_uuid = i.uuid AND ${visible})
      ORDER BY i.created_at DESC, i.uuid DESC LIMIT ${limit}`.execute(tx);
    const { rows: records } = await sql<CaseWithPhoto>`
      SELECT found.* FROM unnest(${photos.map(({ uuid }) => uuid)}::uuid[]) AS photo(uuid), LATERAL (
        SELECT r.*, shown.image_uuid, shown.kind, shown.location_index, shown.quality FROM ${cases}
        WHERE shown.image_uuid = photo.uuid AND ${visible}
        ORDER BY r.created_at DESC, r.id DESC LIMIT ${maxCases}) AS found
      ORDER BY found.created_at DESC, found.id DESC`.execute(tx);
    const shown = { language, now, hideNames: isNamelessTo(staff) };
    const summaries = await showSummaries(tx, shown, records);
    const owners = await findOwners(tx, photos, now);
    const items = photos.map(({ owner_user_id: owner, ...photo }): ImageMatch => {
      const of = records.flatMap((record, index) => (record.image_uuid === photo.uuid ? [index] : []));
      const own = of.flatMap((index) => summaries[index] ?? []);
      const { kind, location_index, quality } = records[of[0] ?? -1] ?? noPlace;
      return {
        ...toCaseImage({ ...photo, kind, location_index, quality }),
        owner: ownerOf(owners.get(owner), own),
        cases: own,
      };
    });
    await context.audit.succeeded(tx, { detail: { images: photos.map(({ uuid }) => uuid) } });
    await countPatientsRead(
      tx,
      context,
      actor,
      summaries.map(({ patient }) => patient.uuid),
    );
    return { items };
  });
}

const noPlace = { kind: null, location_index: null, quality: null };
