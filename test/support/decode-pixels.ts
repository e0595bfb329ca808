// The reference decoders for tests: the whole packages, run in this process.
import { readFile } from 'node:fs/promises';

import decodeJpeg, { init as initJpeg } from '@jsquash/jpeg/decode.js';
import { decode as decodePng, init as initPng } from '@jsquash/png/decode.js';

import type { Pixels } from './images.ts';

const wasm = (path: string) => readFile(new URL(import.meta.resolve(path)));

class Image implements Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}

let started: Promise<void> | undefined;

async function start() {
  Object.assign(globalThis, { ImageData: Image });
  const wasmBinary = await wasm('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm');
  await (initJpeg as (options: object) => Promise<void>)({ wasmBinary, printErr: () => {} });
  await (initPng as (wasm: Uint8Array) => Promise<unknown>)(
    await wasm('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'),
  );
}

/** RGBA of a JPEG or PNG, as stored or, for a JPEG, with its orientation applied. Throws when it does not decode. */
export async function decodePixels(file: Uint8Array, { upright = false } = {}): Promise<Pixels> {
  await (started ??= start());
  if (file[0] === 0x89) return (decodePng as unknown as (bytes: Uint8Array) => Promise<Pixels>)(file);
  const decode = decodeJpeg as unknown as (bytes: Uint8Array, options: object) => Promise<Pixels>;
  return decode(file, { preserveOrientation: upright });
}
