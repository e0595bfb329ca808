import { readFile } from 'node:fs/promises';
import startEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import { defaultOptions } from '@jsquash/jpeg/meta.js';
import { assetUrl } from '../worker-url.ts';
import { type Thumbnail, undecodable } from './decode-job.ts';
import { loadJpegDecoder } from './decode-jpeg.ts';
import type { ImageFacts } from './facts.ts';
import { type Pixels, shrink, upright } from './pixels.ts';

/** The part of the Emscripten modules that we use, in types that Node knows. */
type StartEncoder = (options: { wasmBinary: Uint8Array }) => Promise<{
  encode(rgba: Uint8Array, width: number, height: number, options: object): Uint8Array;
}>;

const quality = 80;

/**
 * A small upright JPEG of a picture that `inspectImage` has accepted: shrunk by averaging, on white where it is
 * transparent, turned as its orientation says, without any metadata. Runs in the decode worker.
 *
 * @param side longest side at most, in pixels; smaller pictures are not enlarged.
 */
export async function makeThumbnail(bytes: Uint8Array, facts: ImageFacts, side: number): Promise<Thumbnail> {
  const small = facts.type === 'image/png' ? await fromPng(bytes, side) : await fromJpeg(bytes, facts, side);
  if (small === undefined) return undecodable('The picture cannot be decoded.');
  const { rgba, width, height } = upright(small, facts.orientation);
  const wasmBinary = await readFile(assetUrl('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm', import.meta.url));
  const encoder = await (startEncoder as unknown as StartEncoder)({ wasmBinary });
  const jpeg = encoder.encode(rgba, width, height, { ...defaultOptions, quality });
  // The codec's result is a view of its memory.
  return { ok: true, jpeg: jpeg.slice(), widthPx: width, heightPx: height };
}

async function fromJpeg(
  bytes: Uint8Array,
  facts: ImageFacts & { type: 'image/jpeg' },
  side: number,
): Promise<Pixels | undefined> {
  const decoder = await loadJpegDecoder();
  let small: Pixels | undefined;
  const checked = decoder.check(bytes, facts, (rgba, width, height) => {
    small = shrink({ rgba, width, height }, side);
  });
  return checked.ok ? small : undefined;
}

/** Loaded only here: what decodes PNG to pixels needs up to 600 MB for the largest pictures. */
async function fromPng(bytes: Uint8Array, side: number): Promise<Pixels | undefined> {
  const codec = await import('@jsquash/png/decode.js');
  // Typed for browsers; these are the parts we use, in types that Node knows.
  const init = codec.init as (wasm: Uint8Array) => Promise<unknown>;
  const decode = codec.decode as unknown as (bytes: Uint8Array) => Promise<DecodedPng>;
  Object.assign(globalThis, { ImageData: DecodedPng });
  await init(await readFile(assetUrl('@jsquash/png/codec/pkg/squoosh_png_bg.wasm', import.meta.url)));
  const { data, width, height } = await decode(bytes);
  return shrink({ rgba: new Uint8Array(data.buffer, data.byteOffset, data.byteLength), width, height }, side);
}

/** The browser's class that the codec constructs its result with. */
class DecodedPng {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}
