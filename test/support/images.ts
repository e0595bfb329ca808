// Generated photos for tests: no real patient's skin is in the repository. Everything is deterministic: the
// same options give the same bytes.
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** RGBA, 8 bits each, row by row from the top left. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

export type Rgb = readonly [red: number, green: number, blue: number];
export type PhotoFormat = 'jpeg' | 'png';

export interface PhotoOptions {
  width?: number;
  height?: number;
  seed?: number;
  format?: PhotoFormat;
}

const drawn = new Map<string, Promise<Buffer>>();

/** A picture with the statistics of an acceptable close-up: skin tones, fine texture, one darker lesion. */
export async function skinPhoto(options: PhotoOptions = {}): Promise<Buffer> {
  const key = JSON.stringify(options);
  const photo = drawn.get(key) ?? encodeImage(skinPixels(options), options.format ?? 'png');
  drawn.set(key, photo);
  // A copy, which a test may damage: drawing takes a tenth of a second, and the files of one process share it.
  return Buffer.from(new Uint8Array(await photo).buffer);
}

/** One colour everywhere: decodable, and no photo at all. */
export async function flatImage(options: PhotoOptions & { color?: Rgb } = {}): Promise<Buffer> {
  const { width = 640, height = 480, color = [200, 150, 130] } = options;
  return encodeImage(
    mapPixels(width, height, () => color),
    options.format ?? 'png',
  );
}

export async function encodeImage(pixels: Pixels, format: PhotoFormat): Promise<Buffer> {
  return format === 'png' ? encodePng(pixels) : encodeJpeg(pixels);
}

/** Pixels of `skinPhoto`, for tests that darken, blur or tint them before encoding. */
export function skinPixels({ width = 640, height = 480, seed = 1 }: PhotoOptions = {}): Pixels {
  const random = mulberry32(seed);
  const coarse = valueNoise(random, 7);
  const medium = valueNoise(random, 41);
  const fine = valueNoise(random, 173);
  const short = Math.min(width, height);
  return mapPixels(width, height, (x, y) => {
    const u = x / short;
    const v = y / short;
    const texture = 26 * coarse(u, v) + 18 * medium(u, v) + 30 * fine(u, v) + 14 * (random() - 0.5);
    const wobble = 0.03 * coarse(v, u);
    const radius = Math.hypot(u - width / short / 2, (v - height / short / 2) * 1.3) + wobble;
    // 1 inside the lesion, 0 on the skin around it, a soft edge between.
    const lesion = Math.min(1, Math.max(0, (0.24 - radius) / 0.03));
    return [
      204 - 84 * lesion + texture,
      154 - 78 * lesion + 0.9 * texture,
      130 - 66 * lesion + 0.85 * texture,
    ];
  });
}

export function mapPixels(width: number, height: number, color: (x: number, y: number) => Rgb): Pixels {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const [red, green, blue] = color(x, y);
      data[at] = red;
      data[at + 1] = green;
      data[at + 2] = blue;
      data[at + 3] = 255;
    }
  }
  return { width, height, data };
}

/** RGB (or RGBA when `alpha`) PNG without filters; `chunks` go between IHDR and IDAT. */
export function encodePng(
  { width, height, data }: Pixels,
  { alpha = false, chunks = [] }: { alpha?: boolean; chunks?: Buffer[] } = {},
): Buffer {
  const channels = alpha ? 4 : 3;
  const rows = Buffer.alloc(height * (1 + width * channels));
  for (let y = 0, from = 0, to = 0; y < height; y++) {
    rows[to++] = 0;
    for (let x = 0; x < width; x++, from += 4) {
      for (let channel = 0; channel < channels; channel++) rows[to++] = data[from + channel] ?? 0;
    }
  }
  return pngFile(
    ihdr(width, height, 8, alpha ? 6 : 2),
    ...chunks,
    pngChunk('IDAT', deflateSync(rows, { level: 1 })),
  );
}

/** A valid black 1-bit PNG of any size: 100 megapixels are about 12 kB. */
export function blankPng(width: number, height: number): Buffer {
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  return pngFile(ihdr(width, height, 1, 0), pngChunk('IDAT', deflateSync(rows)));
}

/** One chunk with its length and CRC, as section 5.3 of the PNG specification has it. */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(typed.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  typed.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(typed), typed.length + 4);
  return chunk;
}

function pngFile(...chunks: Buffer[]): Buffer {
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, ...chunks, pngChunk('IEND', Buffer.alloc(0))]);
}

function ihdr(width: number, height: number, bitDepth: number, colorType: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bitDepth;
  header[9] = colorType;
  return pngChunk('IHDR', header);
}

export async function encodeJpeg(
  { width, height, data }: Pixels,
  { quality = 90, progressive = false }: { quality?: number; progressive?: boolean } = {},
): Promise<Buffer> {
  const image = sharp(data, { raw: { width, height, channels: 4 } });
  const jpeg = await image.removeAlpha().jpeg({ quality, progressive }).toBuffer();
  return withJpegSegment(jpeg, 0xe0, jfif);
}

/** Version 1.1, 72 dpi, no thumbnail: cameras and most encoders write it, sharp does not. */
const jfif = Buffer.from('4a46494600010101004800480000', 'hex');

/** The JPEG with an APP1 segment that holds only an EXIF orientation (1–8), right after SOI. */
export function withExifOrientation(jpeg: Uint8Array, orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('II*\0', 0, 'latin1');
  tiff.writeUInt32LE(8, 4); // offset of the first image file directory
  tiff.writeUInt16LE(1, 8); // one entry:
  tiff.writeUInt16LE(0x0112, 10); // Orientation,
  tiff.writeUInt16LE(3, 12); // SHORT,
  tiff.writeUInt32LE(1, 14); // one value
  tiff.writeUInt16LE(orientation, 18);
  return withJpegSegment(jpeg, 0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]));
}

/** The JPEG with one more marker segment right after SOI. */
export function withJpegSegment(jpeg: Uint8Array, marker: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(4);
  head[0] = 0xff;
  head[1] = marker;
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, payload, jpeg.subarray(2)]);
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Smooth noise in -0.5 to 0.5 with `frequency` cells per unit; repeats after 64 cells. */
function valueNoise(random: () => number, frequency: number): (u: number, v: number) => number {
  const lattice = Float32Array.from({ length: 64 * 64 }, () => random() - 0.5);
  const at = (i: number, j: number) => lattice[(j & 63) * 64 + (i & 63)] ?? 0;
  return (u, v) => {
    const i = Math.floor(u * frequency);
    const j = Math.floor(v * frequency);
    const s = u * frequency - i;
    const t = v * frequency - j;
    const top = at(i, j) + s * (at(i + 1, j) - at(i, j));
    const bottom = at(i, j + 1) + s * (at(i + 1, j + 1) - at(i, j + 1));
    return top + t * (bottom - top);
  };
}
