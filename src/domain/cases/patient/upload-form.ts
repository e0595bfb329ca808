import { z } from 'zod';
import { Problem } from '../../../contract/problem.ts';
import { fieldErrors } from '../../../lib/schema/field-errors.ts';
import { wholeNumber } from '../../../lib/schema/whole-number.ts';
import { ImageKind } from '../../intake/anamnesis/vocabulary/images.ts';
import { CaseImage, LocationIndex } from '../record/case-image.schemas.ts';

export interface PhotoUpload {
  files: readonly Uint8Array[];
  /** Not checked for its form: a malformed one is found as little as an unknown one. */
  caseUuid?: string | undefined;
  kind?: ImageKind | undefined;
  locationIndex?: number | undefined;
  checkQuality: boolean;
}

const text = (maxBytes: number, description: string) => ({ required: false, maxBytes, description });

/** Fields of the form beside the photos. */
export const photoFields = {
  case_uuid: text(64, 'UUID of one’s own case that the photos are added to.'),
  kind: text(32, 'How the photos were taken: an `ImageKind`.'),
  location_index: text(4, 'Index into `anamnesis.locations` of the place shown.'),
  check_quality: text(
    5,
    '`true`: the AI service judges the photos at once; what it does not judge in time has no verdict.',
  ),
} as const;

export const UploadedPhotos = z
  .object({ images: z.array(CaseImage).meta({ description: 'One for each file, in the order sent.' }) })
  .meta({ id: 'UploadedPhotos', description: 'The photos as cases have them.' });

const Fields = z.object({
  kind: ImageKind.optional(),
  location_index: wholeNumber(LocationIndex).optional(),
  check_quality: z.enum(['true', 'false']).optional(),
});

/** @throws {Problem} `validation_error` naming every wrong field. */
export function readUpload(
  files: readonly Uint8Array[],
  fields: Readonly<Partial<Record<keyof typeof photoFields, string | undefined>>>,
): PhotoUpload {
  const { case_uuid: caseUuid, ...rest } = fields;
  const set = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const parsed = Fields.safeParse(set);
  if (!parsed.success) throw new Problem('validation_error', { errors: fieldErrors(parsed.error, set) });
  const { kind, location_index: locationIndex, check_quality: check } = parsed.data;
  return { files, caseUuid, kind, locationIndex, checkQuality: check === 'true' };
}
