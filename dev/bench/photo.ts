import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import encode, { init } from '@jsquash/jpeg/encode.js';
import { decodeImage } from '../ai-service/image/decode.ts';
import { drawDemoPhoto } from '../demo/photo.ts';

/** The demo photo (1024 × 768) at the quality of a camera, which makes a JPEG of some 200 kB of it. */
export async function drawPhoto(folder: string): Promise<Uint8Array<ArrayBuffer>> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'demo.jpg');
  await drawDemoPhoto(file);
  const pixels = await decodeImage(readFileSync(file), 'jpeg');
  if (pixels === undefined) throw new Error('The demo photo cannot be decoded.');
  const wasm = createRequire(import.meta.url).resolve('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm');
  await (init as (options: object) => Promise<void>)({ wasmBinary: readFileSync(wasm) });
  const jpeg = await (encode as (image: object, options: object) => Promise<ArrayBuffer>)(pixels, {
    quality: 98,
  });
  return new Uint8Array(jpeg);
}
