// PNG files of any colour type, built chunk by chunk: what `encodePng` of images.ts is too well-behaved for.
import { deflateSync } from 'node:zlib';

import { pngChunk } from './images.ts';

export interface PngShape {
  width: number;
  height: number;
  bitDepth?: number;
  colorType?: number;
  interlace?: number;
}

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Offsets and steps of the seven Adam7 passes: [x, y, dx, dy]. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The joined chunks behind the PNG signature. */
export const pngFile = (...chunks: Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);

export const IEND = pngChunk('IEND', Buffer.alloc(0));

export function ihdr({ width, height, bitDepth = 8, colorType = 2, interlace = 0 }: PngShape): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([bitDepth, colorType, 0, 0, interlace], 8);
  return pngChunk('IHDR', data);
}

/** Rows before compression: a filter byte (0–4, in turn) and pseudo-random samples; palette indices stay below 4. */
export function rawRows({ width, height, bitDepth = 8, colorType = 2, interlace = 0 }: PngShape): Buffer {
  const bits = bitDepth * (CHANNELS[colorType] ?? 0);
  const passes =
    interlace === 0
      ? [[width, height] as const]
      : ADAM7.map(([x, y, dx, dy]) => [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)] as const);
  const rows: Buffer[] = [];
  let state = 1;
  for (const [columns, lines] of passes) {
    if (columns <= 0) continue;
    for (let line = 0; line < lines; line += 1) {
      const row = Buffer.alloc(1 + Math.ceil((columns * bits) / 8));
      for (let at = 1; at < row.length; at += 1) {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
        row[at] = colorType === 3 ? (bitDepth === 8 ? (state >>> 16) & 3 : 0) : state >>> 16;
      }
      // Palette indices are kept in range by not filtering them.
      if (colorType !== 3) row[0] = line % 5;
      rows.push(row);
    }
  }
  return Buffer.concat(rows);
}

/** Any valid PNG; `before` goes between IHDR (and PLTE) and IDAT, `after` between IDAT and IEND. */
export function anyPng(shape: PngShape, before: Buffer[] = [], after: Buffer[] = []): Buffer {
  const palette = shape.colorType === 3 ? [pngChunk('PLTE', Buffer.alloc(4 * 3, 120))] : [];
  const idat = pngChunk('IDAT', deflateSync(rawRows(shape)));
  return pngFile(ihdr(shape), ...palette, ...before, idat, ...after, IEND);
}
