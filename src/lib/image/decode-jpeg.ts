import { readFile } from 'node:fs/promises';

import startMozjpeg from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js';

import { assetUrl } from '../worker-url.ts';
import { type PixelCheck, undecodable } from './decode-job.ts';
import type { JpegFacts } from './facts.ts';

/** The part of the Emscripten module that we use, in types that Node knows (the package's are a browser's). */
type Mozjpeg = {
  decode(bytes: Uint8Array, applyOrientation: boolean): { width: number; height: number };
  HEAPU8: Uint8Array;
};
type StartMozjpeg = (options: {
  wasmBinary: Uint8Array;
  print(line: string): void;
  printErr(line: string): void;
}) => Promise<Mozjpeg>;

/**
 * libjpeg's warnings (jerror.h) that mean lost pixels, filled with grey or with what was left from before.
 * The others are harmless, and real cameras cause them: extraneous bytes after a scan, an unknown JFIF
 * revision, an unknown Adobe transform, a sequential scan with progressive parameters.
 */
const LOST_PIXELS = /premature end|bad huffman code|instead of rst/i;

/** Sees the decoded pixels, four bytes each (RGBA), while they last: they are the codec's own memory. */
export type Look = (rgba: Uint8Array, width: number, height: number) => void;

/**
 * Runs `work` with the two browser globals that the codec's C++ constructs its result from. Its pixels
 * (`Uint8ClampedArray`) become a view of the codec's own memory instead of a copy, which at 50 megapixels saves
 * 200 MB; they are valid only while `ImageData` is being constructed. Nothing else runs meanwhile.
 */
function withResultOf<T>(look: Look | undefined, work: () => T): T {
  const realm = globalThis as Record<string, unknown>;
  const before = { Uint8ClampedArray: realm.Uint8ClampedArray, ImageData: realm.ImageData };
  // Called with `new`; a function's returned object takes the place of the new one.
  realm.Uint8ClampedArray = function view(pixels: Uint8Array) {
    return pixels;
  };
  realm.ImageData = function size(pixels: Uint8Array, width: number, height: number) {
    look?.(pixels, width, height);
    return { width, height };
  };
  try {
    return work();
  } finally {
    Object.assign(realm, before);
  }
}

/**
 * Loads libjpeg (mozjpeg, WebAssembly). `check` decodes all pixels of a JPEG whose structure `inspectImage` has
 * accepted. Found: whatever libjpeg cannot decode, and picture data that end early or hold impossible codes.
 * Not to be found in a format without checksums: damage that still reads as some picture (of single flipped bits
 * two thirds to nine tenths), and a progressive JPEG without its last refinements.
 *
 * Memory: 4 bytes a pixel, for a progressive JPEG 7 (4:2:0) to 10 (4:4:4), and the file twice; `heapBytes()` never
 * shrinks. Once libjpeg has given up on a picture, its memory is in an unknown state (`isBroken()`): load a new one.
 * Throws when it is not the picture's fault, such as a lack of memory.
 */
export async function loadJpegDecoder() {
  const wasmBinary = await readFile(assetUrl('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm', import.meta.url));
  let messages: string[] = [];
  let broken = false;
  const codec = await (startMozjpeg as unknown as StartMozjpeg)({
    wasmBinary,
    print: () => {},
    printErr: (line) => messages.push(line),
  });

  return {
    check(bytes: Uint8Array, facts: JpegFacts, look?: Look): PixelCheck {
      messages = [];
      let size: { width: number; height: number };
      try {
        size = withResultOf(look, () => codec.decode(bytes, false));
      } catch (error) {
        broken = true;
        // libjpeg gives up by exit(1) after saying why.
        const gaveUp = error instanceof Object && 'name' in error && error.name === 'ExitStatus';
        if (!gaveUp || messages.some((message) => /insufficient memory/i.test(message))) throw error;
        return undecodable('The picture data of the JPEG cannot be decoded.');
      }
      if (messages.some((message) => LOST_PIXELS.test(message))) {
        return undecodable('The picture data of the JPEG are damaged or incomplete.');
      }
      if (size.width !== facts.widthPx || size.height !== facts.heightPx) {
        return undecodable('The JPEG decodes to another size than its header says.');
      }
      return { ok: true, widthPx: size.width, heightPx: size.height };
    },
    isBroken: () => broken,
    heapBytes: () => codec.HEAPU8.length,
  };
}

export type JpegDecoder = Awaited<ReturnType<typeof loadJpegDecoder>>;
