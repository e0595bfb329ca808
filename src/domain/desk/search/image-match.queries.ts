import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import type { PhotoRow } from '../../cases/photos/case-photos.queries.ts';
import { isPartOf } from '../../cases/photos/part-of-case.queries.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { isVisibleTo } from '../../cases/record/visible-cases.queries.ts';
import { type Person, type PersonRow, personColumns, toPerson } from '../../identity/patients/person.ts';

export type OwnedPhoto = Omit<PhotoRow, 'kind' | 'location_index' | 'quality'> & {
  owner_user_id: number | null;
};

/** A case as one that has a photo. */
export type CaseWithPhoto = CaseRecord &
  Pick<PhotoRow, 'kind' | 'location_index' | 'quality'> & { image_uuid: string };

const maxCases = 20;

const cases = sql`case_images shown JOIN request_records r ON r.tenant_id = shown.tenant_id AND r.uuid = shown.case_uuid`;

const isShownTo = (staff: Staff) => sql`${isPartOf('shown', 'r')} AND ${isVisibleTo(staff, 'r')}`;

/** Photos of cases that the caller may see, the newest first. @param hash SHA-256 in hexadecimal */
export async function listPhotosByHash(
  tx: Tx,
  staff: Staff,
  { hash, limit }: { hash: string; limit: number },
): Promise<OwnedPhoto[]> {
  const { rows } = await sql<OwnedPhoto>`
    SELECT i.* FROM images i
    WHERE i.sha256 = ${Buffer.from(hash, 'hex')} AND i.state = 'stored' AND i.deleted_at IS NULL
      AND EXISTS (SELECT FROM ${cases} WHERE shown.image_uuid = i.uuid AND ${isShownTo(staff)})
    ORDER BY i.created_at DESC, i.uuid DESC LIMIT ${limit}`.execute(tx);
  return rows;
}

/** The cases of photos that the caller may see, the newest first; of each photo 20 at most. */
export async function listCasesOfPhotos(
  tx: Tx,
  staff: Staff,
  photoUuids: readonly string[],
): Promise<CaseWithPhoto[]> {
  const { rows } = await sql<CaseWithPhoto>`
    SELECT found.* FROM unnest(${photoUuids}::uuid[]) AS photo(uuid), LATERAL (
      SELECT r.*, shown.image_uuid, shown.kind, shown.location_index, shown.quality FROM ${cases}
      WHERE shown.image_uuid = photo.uuid AND ${isShownTo(staff)}
      ORDER BY r.created_at DESC, r.id DESC LIMIT ${maxCases}) AS found
    ORDER BY found.created_at DESC, found.id DESC`.execute(tx);
  return rows;
}

/** The owners of the accounts as persons, by `users.id`. */
export async function findOwners(
  tx: Tx,
  photos: readonly { owner_user_id: number | null }[],
  now: Date,
): Promise<ReadonlyMap<number | null, Person>> {
  const accounts = photos.flatMap(({ owner_user_id: id }) => id ?? []);
  const rows: (PersonRow & { account_user_id: number | null })[] = await tx
    .selectFrom('patients')
    .select([...personColumns, 'account_user_id'])
    .where('account_user_id', '=', sql<number>`ANY (${accounts}::integer[])`)
    .where('relation', '=', 'self')
    .execute();
  return new Map(rows.map((row) => [row.account_user_id, toPerson(row, now)]));
}
