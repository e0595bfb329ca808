import type { z } from 'zod';
import { enumeration } from './enumeration.ts';

export const ImageKind = enumeration('ImageKind', 'How the photo was taken.', [
  'close_up',
  'at_an_angle',
  'at_distance',
  'dermoscopic',
  'with_scale',
  'previous_photo',
  'other',
]);
export type ImageKind = z.infer<typeof ImageKind>;

export const ImageLighting = enumeration('ImageLighting', 'Light in which the photo was taken.', [
  'daylight',
  'indoor',
  'flash',
  'low_light',
  'unknown',
]);
export type ImageLighting = z.infer<typeof ImageLighting>;

export const ImageContentType = enumeration('ImageContentType', 'File format of the image.', [
  'image_jpeg',
  'image_png',
  'image_webp',
  'image_heic',
]);
export type ImageContentType = z.infer<typeof ImageContentType>;

export const ImageQualityIssue = enumeration(
  'ImageQualityIssue',
  'What is wrong with an image. `poor_quality` is used when no other issue explains a low score.',
  [
    'unreadable',
    'unsupported_format',
    'resolution_too_low',
    'low_resolution',
    'blurry',
    'slightly_blurry',
    'too_dark',
    'dark',
    'overexposed',
    'glare',
    'low_contrast',
    'uneven_lighting',
    'color_cast',
    'no_skin_detected',
    'little_skin_visible',
    'bad_framing',
    'not_a_photo',
    'duplicate_image',
    'possible_identifying_content',
    'poor_quality',
  ],
);
export type ImageQualityIssue = z.infer<typeof ImageQualityIssue>;

export const QualitySource = enumeration('QualitySource', 'Source of the quality measurement.', [
  'client',
  'gateway',
  'ai_service',
  'physician',
]);
export type QualitySource = z.infer<typeof QualitySource>;
