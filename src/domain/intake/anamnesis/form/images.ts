import { z } from 'zod';
import {
  ImageContentType,
  ImageKind,
  ImageLighting,
  ImageQualityIssue,
  QualitySource,
} from '../vocabulary/images.ts';
import { manyOf } from './fields.ts';
import { MAX_LOCATIONS } from './locations.ts';

export const ImageQuality = z
  .strictObject({
    score: z.number().min(0).max(1).optional().describe('0 unusable to 1 excellent.'),
    isValid: z.boolean().optional().describe('Whether the image can be used for a diagnosis.'),
    issues: manyOf(ImageQualityIssue).optional(),
    sharpness: z.number().min(0).optional().describe('Variance of the Laplacian of the luma at 512 px.'),
    brightness: z.number().min(0).max(255).optional().describe('Mean luma, 0 black to 255 white.'),
    measuredBy: QualitySource.optional(),
  })
  .meta({ id: 'ImageQuality', description: 'Measured quality of an image.' });

export const ImageReference = z
  .strictObject({
    url: z
      .string()
      .max(2048)
      .meta({ format: 'uri-reference' })
      .describe(
        'Path of an image stored here (`/api/common/images/<uuid>`), or an https URL on a host that the service accepts. Foreign addresses are never fetched.',
      ),
    kind: ImageKind.optional(),
    locationIndex: z
      .int()
      .min(0)
      .max(MAX_LOCATIONS - 1)
      .optional()
      .describe('Index into `locations` of the place shown.'),
    capturedAt: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('When the photo was taken (RFC 3339, with offset).'),
    contentType: ImageContentType.optional(),
    widthPx: z.int().min(1).optional().describe('Width in pixels.'),
    heightPx: z.int().min(1).optional().describe('Height in pixels.'),
    lighting: ImageLighting.optional(),
    hasScale: z.boolean().optional().describe('Whether a ruler or coin in the photo shows the size.'),
    quality: ImageQuality.optional(),
  })
  .meta({ id: 'ImageReference', description: 'A photo that belongs to the answers.' });

export const MAX_IMAGES = 10;
