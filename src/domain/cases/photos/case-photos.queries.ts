import { sql } from 'kysely';
import { type FieldError, Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { ImageKind } from '../../intake/anamnesis/vocabulary/images.ts';
import { imagePath } from '../../media/images/image.schemas.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { type CaseImage, type PhotoVerdict, thumbnailPath } from '../record/case-image.schemas.ts';

type Case = Pick<CaseRecord, 'uuid' | 'tenant_id'>;

export interface PhotoInput {
  /** Of a stored image: its name or its UUID. */
  name: string;
  kind?: ImageKind | undefined;
  location_index?: number | undefined;
}

export interface OwnPhoto extends Omit<PhotoInput, 'name'> {
  uuid: string;
}

const nameForm = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.(?:jpg|png))?$/;

/** The UUID in the name of an image; undefined for what names none. */
export const imageUuidIn = (name: string): string | undefined => nameForm.exec(name.toLowerCase())?.[1];

/**
 * Stored photos of an account, locked against a simultaneous deletion.
 * @throws {Problem} `image_not_found` for one that is not the account's own; `validation_error` for one named twice.
 */
export async function lockOwnPhotos(
  tx: Tx,
  account: { id: number },
  photos: readonly PhotoInput[],
): Promise<OwnPhoto[]> {
  if (photos.length === 0) return [];
  const named = photos.map(({ name, ...rest }) => ({ ...rest, uuid: imageUuidIn(name) ?? '' }));
  const repeated = named.flatMap(({ uuid }, index): FieldError[] =>
    named.findIndex((other) => other.uuid === uuid) === index
      ? []
      : [{ pointer: `/images/${index}/name`, code: 'duplicate', message: 'Names a photo a second time.' }],
  );
  const known = named.map(({ uuid }) => uuid).filter((uuid) => uuid !== '');
  const rows =
    known.length === 0
      ? []
      : await tx
          .selectFrom('images')
          .select('uuid')
          .where('uuid', 'in', known)
          .where('owner_user_id', '=', account.id)
          .where('state', '=', 'stored')
          .where('deleted_at', 'is', null)
          .orderBy('uuid')
          .forShare()
          .execute();
  const own = new Set(rows.map(({ uuid }) => uuid));
  const hidden = named.find(({ uuid }) => !own.has(uuid));
  if (hidden !== undefined) {
    const { uuid } = hidden;
    throw new Problem('image_not_found', uuid === '' ? {} : { conceals: { kind: 'image', uuid } });
  }
  if (repeated.length > 0) throw new Problem('validation_error', { errors: repeated });
  return named;
}

/** Makes these the photos of the case, in this order; those that were there and are not named are taken off. */
export async function replacePhotos(
  tx: Tx,
  record: Case,
  photos: readonly OwnPhoto[],
  now: Date,
): Promise<void> {
  await tx
    .updateTable('case_images')
    .set({ removed_at: now })
    .where('case_uuid', '=', record.uuid)
    .where('removed_at', 'is', null)
    .execute();
  await attachPhotos(tx, record, photos, now);
}

/** Adds photos behind those that the case has. */
export async function attachPhotos(
  tx: Tx,
  record: Case,
  photos: readonly OwnPhoto[],
  now: Date,
): Promise<void> {
  if (photos.length === 0) return;
  // Not their number: one that was deleted has left its place empty.
  const { next } = await tx
    .selectFrom('case_images')
    .select(({ fn }) => sql<number>`coalesce(${fn.max('position')} + 1, 0)::integer`.as('next'))
    .where('case_uuid', '=', record.uuid)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('case_images')
    .values(
      photos.map(({ uuid, kind, location_index: place }, index) => ({
        case_uuid: record.uuid,
        image_uuid: uuid,
        tenant_id: record.tenant_id,
        position: next + index,
        kind: kind ?? null,
        location_index: place ?? null,
        added_at: now,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['case_uuid', 'image_uuid']).doUpdateSet(({ ref }) => ({
        position: ref('excluded.position'),
        kind: ref('excluded.kind'),
        location_index: ref('excluded.location_index'),
        removed_at: null,
      })),
    )
    .execute();
}

/**
 * Changes what is stated about photos that the case has; what is undefined stays. @returns whether anything differs from before.
 */
export async function restatePhotos(
  tx: Tx,
  record: Case,
  uuids: readonly string[],
  { kind, location_index: place }: Omit<OwnPhoto, 'uuid'>,
): Promise<boolean> {
  const set = {
    ...(kind !== undefined && { kind }),
    ...(place !== undefined && { location_index: place }),
  };
  if (uuids.length === 0 || Object.keys(set).length === 0) return false;
  const { numUpdatedRows: changed } = await tx
    .updateTable('case_images')
    .set(set)
    .where('case_uuid', '=', record.uuid)
    .where('image_uuid', 'in', uuids)
    .where('removed_at', 'is', null)
    .where((eb) =>
      eb.or([
        ...(kind === undefined ? [] : [eb('kind', 'is distinct from', kind)]),
        ...(place === undefined ? [] : [eb('location_index', 'is distinct from', place)]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return changed > 0n;
}

/** The photos of cases that are stored, in their order. */
const storedPhotos = (tx: Tx, caseUuids: readonly string[]) =>
  tx
    .selectFrom('case_images as attached')
    .innerJoin('images as image', (join) =>
      join
        .onRef('image.tenant_id', '=', 'attached.tenant_id')
        .onRef('image.uuid', '=', 'attached.image_uuid'),
    )
    .where('attached.case_uuid', 'in', caseUuids)
    .where('attached.removed_at', 'is', null)
    .where('image.state', '=', 'stored')
    .where('image.deleted_at', 'is', null)
    .orderBy('attached.position');

/** The photos of cases, as they are shown. */
export async function listCasePhotos(tx: Tx, caseUuids: readonly string[]) {
  if (caseUuids.length === 0) return [];
  const rows = await storedPhotos(tx, caseUuids)
    .select(['attached.case_uuid', 'attached.kind', 'attached.location_index', 'attached.quality'])
    .select(['image.uuid', 'image.name', 'image.sha256', 'image.content_type', 'image.width_px'])
    .select(['image.height_px', 'image.size_bytes', 'image.orientation'])
    .execute();
  return rows.map((row) => ({ caseUuid: row.case_uuid, image: toCaseImage(row) }));
}

/** The photos of one case with their blobs, hashes and verdicts; a verdict is null until the AI service has judged the photo. */
export async function listPhotosToJudge(tx: Tx, caseUuid: string) {
  const rows = await storedPhotos(tx, [caseUuid])
    .select(['image.uuid', 'image.blob_name', 'image.sha256', 'attached.quality'])
    .execute();
  return rows.map(({ quality, ...photo }) => ({ ...photo, verdict: quality as PhotoVerdict | null }));
}

export async function storePhotoVerdict(
  tx: Tx,
  { caseUuid, imageUuid }: { caseUuid: string; imageUuid: string },
  { isValid, score, issues }: PhotoVerdict,
): Promise<void> {
  await tx
    .updateTable('case_images')
    .set({ quality: JSON.stringify({ isValid, score, issues }) })
    .where('case_uuid', '=', caseUuid)
    .where('image_uuid', '=', imageUuid)
    .execute();
}

export interface PhotoRow {
  uuid: string;
  name: string;
  sha256: Buffer;
  content_type: string;
  width_px: number;
  height_px: number;
  size_bytes: number;
  orientation: number;
  kind: ImageKind | null;
  location_index: number | null;
  quality: unknown;
}

export function toCaseImage(row: PhotoRow): CaseImage {
  return {
    uuid: row.uuid,
    url: imagePath(row.uuid),
    sha256: row.sha256.toString('hex'),
    contentType: row.content_type === 'image/png' ? 'image/png' : 'image/jpeg',
    widthPx: row.width_px,
    heightPx: row.height_px,
    sizeBytes: row.size_bytes,
    orientation: row.orientation,
    name: row.name,
    path: row.name,
    thumbnail_path: thumbnailPath(row.uuid),
    kind: row.kind,
    location_index: row.location_index,
    quality: row.quality as PhotoVerdict | null,
  };
}

/** In the order of `uuids`, the same photo as often as it is named. */
export async function showPhotos(tx: Tx, uuids: readonly string[]): Promise<CaseImage[]> {
  const rows = await tx
    .selectFrom('images')
    .select(['uuid', 'name', 'sha256', 'content_type', 'width_px', 'height_px', 'size_bytes', 'orientation'])
    .where('uuid', 'in', uuids)
    .execute();
  return uuids.flatMap((uuid) =>
    rows
      .filter((row) => row.uuid === uuid)
      .map((row) => toCaseImage({ ...row, kind: null, location_index: null, quality: null })),
  );
}
