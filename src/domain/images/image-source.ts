import { z } from 'zod';
import { Problem } from '../../lib/problem.ts';
import { imageLimits } from './image-limits.ts';

/** An image inside a JSON body. */
export const ImageSource = z
  .strictObject({
    imageData: z
      .string()
      .max(Math.ceil(imageLimits.maxBytes / 3) * 4)
      .meta({ description: 'The bytes of a JPEG or PNG in base64 (RFC 4648 §4), without a `data:` prefix' }),
  })
  .meta({ id: 'ImageSource' });
export type ImageSource = z.infer<typeof ImageSource>;

/** @throws {Problem} `validation_error` when the text is not base64. */
export function readImageSource({ imageData }: ImageSource): Uint8Array {
  // Node's decoder skips what it does not know, so the text is checked first.
  if (imageData.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(imageData)) {
    throw new Problem('validation_error', {
      errors: [{ pointer: '/imageData', code: 'invalid_format', message: 'Must be base64.' }],
    });
  }
  return Buffer.from(imageData, 'base64');
}
