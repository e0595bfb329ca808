import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { drawDemoPhoto } from '../../run/demo/photo.ts';

/** A JFIF segment with 72 dpi, which sharp does not write: its density makes copies of a photo distinct. */
const JFIF = Buffer.from('ffe000104a46494600010101004800480000', 'hex');

/** The demo photo (1024 × 768) with the noise of a camera sensor: a JPEG of about 200 kB. */
export async function drawPhoto(folder: string): Promise<Uint8Array<ArrayBuffer>> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'demo.jpg');
  await drawDemoPhoto(file);
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  const noisy = Uint8ClampedArray.from(data, (value, index) => value + noise(index));
  const jpeg = await sharp(noisy, { raw: info }).jpeg({ quality: 90 }).toBuffer();
  return new Uint8Array(Buffer.concat([jpeg.subarray(0, 2), JFIF, jpeg.subarray(2)]));
}

/** Between -7 and 7, the same on every run. */
function noise(index: number): number {
  const mixed = Math.imul(index ^ (index >>> 15), 0x85ebca6b);
  return (((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32) * 14 - 7;
}
