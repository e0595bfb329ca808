import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import encode, { init } from '@jsquash/jpeg/encode.js';
import { decodeImage } from '../../apps/ai-service/image/decode.ts';
import { drawDemoPhoto } from '../../run/demo/photo.ts';

/** The demo photo (1024 × 768) with the noise of a camera sensor: a JPEG of about 200 kB. */
export async function drawPhoto(folder: string): Promise<Uint8Array<ArrayBuffer>> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'demo.jpg');
  await drawDemoPhoto(file);
  const pixels = await decodeImage(readFileSync(file), 'jpeg');
  if (pixels === undefined) throw new Error('The demo photo cannot be decoded.');
  for (let index = 0; index < pixels.data.length; index++) {
    pixels.data[index] = (pixels.data[index] ?? 0) + noise(index);
  }
  const wasm = createRequire(import.meta.url).resolve('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm');
  await (init as (options: object) => Promise<void>)({ wasmBinary: readFileSync(wasm) });
  const jpeg = await (encode as (image: object, options: object) => Promise<ArrayBuffer>)(pixels, {
    quality: 90,
  });
  return new Uint8Array(jpeg);
}

/** Between -7 and 7, the same on every run. */
function noise(index: number): number {
  const mixed = Math.imul(index ^ (index >>> 15), 0x85ebca6b);
  return (((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32) * 14 - 7;
}
