import { readFile } from 'node:fs/promises';
import decodeWithMozjpeg, { init as initMozjpeg } from '@jsquash/jpeg/decode.js';
import { decode as decodeWithPngCrate, init as initPngCrate } from '@jsquash/png/decode.js';

/** RGBA, 8 bits each, row by row. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

// The codecs are typed for browsers; these types cover the parts used here under Node.
const jpeg = decodeWithMozjpeg as unknown as (bytes: Uint8Array, options: object) => Promise<Pixels>;
const png = decodeWithPngCrate as unknown as (bytes: Uint8Array) => Promise<Pixels>;
const initJpeg = initMozjpeg as (options: object) => Promise<void>;
const initPng = initPngCrate as (wasm: Uint8Array) => Promise<unknown>;

const wasmFile = (path: string) => readFile(new URL(import.meta.resolve(path)));

let jpegWarning: string | undefined;

async function loadCodecs(): Promise<void> {
  // Under Node the codecs cannot fetch their own .wasm files, and the PNG one builds an ImageData.
  Object.assign(globalThis, { ImageData: Image });
  await initJpeg({
    wasmBinary: await wasmFile('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'),
    printErr: (message: string) => (jpegWarning ??= message),
  });
  await initPng(await wasmFile('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'));
}

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

let codecs: Promise<void> | undefined;

/**
 * Decodes every pixel and applies the EXIF orientation of a JPEG. Undefined when the bytes are damaged: libjpeg fills the
 * missing part of a truncated file with grey and only warns, so its warning counts as damage.
 */
export async function decodeImage(bytes: Uint8Array, format: 'jpeg' | 'png'): Promise<Pixels | undefined> {
  codecs ??= loadCodecs();
  await codecs;
  jpegWarning = undefined;
  try {
    const pixels = format === 'jpeg' ? await jpeg(bytes, { preserveOrientation: true }) : await png(bytes);
    return /premature end/i.test(jpegWarning ?? '') ? undefined : pixels;
  } catch {
    return undefined;
  }
}
