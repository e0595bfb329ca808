import { z } from 'zod';
import { ImageKind } from '../../intake/anamnesis/vocabulary/images.ts';
import { MAX_LOCATIONS } from '../../intake/anamnesis/form/locations.ts';
import { ImageValidity } from '../../intake/diagnoses/diagnosis.schemas.ts';
import { StoredImageReply } from '../../media/images/image.schemas.ts';

export const LocationIndex = z
  .int()
  .min(0)
  .max(MAX_LOCATIONS - 1)
  .meta({ description: 'Index into `anamnesis.locations` of the place shown.' });

/** The name or the path of an image, which begins with its UUID. */
export const ImageReference = z
  .string()
  .max(64)
  .regex(/^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/);

/** The verdict of the AI service on a photo, as a case remembers it: codes, no texts. */
export const PhotoVerdict = ImageValidity.pick({ isValid: true, score: true, issues: true }).meta({
  id: 'PhotoVerdict',
  description: 'Whether a photo can be used, and why not.',
});
export type PhotoVerdict = z.infer<typeof PhotoVerdict>;

export const CaseImage = StoredImageReply.extend({
  name: z.string().meta({ description: 'How cases name it: `<uuid>.jpg` or `<uuid>.png`.' }),
  path: z.string().meta({ description: 'Path of the photo below `/api/v1/images/`.' }),
  thumbnail_path: z.string().meta({ description: 'Path of its thumbnail below `/api/v1/images/`.' }),
  kind: ImageKind.nullable().meta({ description: 'Null where it was not stated.' }),
  location_index: LocationIndex.nullable().meta({ description: 'Null where it was not stated.' }),
  quality: PhotoVerdict.nullable().meta({ description: 'Null until the AI service has judged it.' }),
}).meta({ id: 'CaseImage', description: 'A stored photo as part of a case.' });
export type CaseImage = z.infer<typeof CaseImage>;

/** The end of the address of an image: its name, or its thumbnail. */
export const thumbnailPath = (uuid: string) => `${uuid}/thumbnail.jpg`;
