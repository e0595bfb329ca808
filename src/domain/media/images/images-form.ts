import { imageLimits, uploadLimits } from './accept-image.ts';

/** The photos of a multipart form; each route names its other fields. */
export const imagesForm = {
  maxBytes: uploadLimits.maxBytes + 64 * 1024,
  files: {
    images: {
      required: true,
      maxCount: uploadLimits.maxFiles,
      maxBytes: imageLimits.maxBytes,
      description: 'JPEG or PNG, at most 15 MB and 50 megapixels each, 20 MB together',
    },
  },
} as const;
