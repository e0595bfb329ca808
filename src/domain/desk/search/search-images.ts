import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { countPatientsRead } from '../../platform/throttle/count-patients-read.ts';
import { toCaseImage } from '../../cases/photos/case-photos.queries.ts';
import type { CaseSummary } from '../../cases/record/case-summary.schemas.ts';
import type { Person } from '../../identity/patients/person.ts';
import { isNamelessTo, showSummaries } from '../cases/show-summaries.ts';
import { findOwners, listCasesOfPhotos, listPhotosByHash } from './image-match.queries.ts';
import type { ImageMatch } from './image-match.schemas.ts';

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
    const photos = await listPhotosByHash(tx, staff, { hash, limit });
    const records = await listCasesOfPhotos(
      tx,
      staff,
      photos.map(({ uuid }) => uuid),
    );
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

/** By the name of the account's owner, cases without names would have one after all. */
function ownerOf(owner: Person | undefined, cases: readonly Pick<CaseSummary, 'patient'>[]): Person | null {
  if (owner === undefined) return null;
  const isNamed = cases.some(({ patient }) => patient.display_name !== null);
  return isNamed ? owner : { ...owner, display_name: null };
}
