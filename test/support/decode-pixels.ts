// The reference decoder for tests, run in this process.
import sharp from 'sharp';
import type { Pixels } from './images.ts';

/** RGBA of a JPEG or PNG, as stored or, for a JPEG, with its orientation applied. Throws when it does not decode. */
export async function decodePixels(file: Uint8Array, { upright = false } = {}): Promise<Pixels> {
  const stored = sharp(file, { failOn: 'truncated', ignoreIcc: true });
  const image = upright ? stored.autoOrient() : stored;
  const pixels = image.toColourspace('srgb').ensureAlpha().raw();
  const { data, info } = await pixels.toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8ClampedArray(data) };
}
