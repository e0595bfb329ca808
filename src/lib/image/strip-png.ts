import { crc32, deflateSync, type Inflate, inflateSync } from 'node:zlib';

import { orientationTiff, UPRIGHT } from './exif.ts';
import type { PngFacts } from './facts.ts';
import { isIccProfile, withoutDescriptions } from './icc.ts';
import { collectPieces, type Pieces } from './pieces.ts';

/** Whether a chunk is valid. @param colours entries of the palette, 0 before it. */
type Rule = (data: Uint8Array, colorType: number, colours: number) => boolean;

const ofLength =
  (length: number): Rule =>
  (data) =>
    data.length === length;

/**
 * Chunks without which the picture would decode or look different, each with its validity rule: strict decoders refuse a
 * picture with an invalid chunk, lenient ones ignore it, and its bytes could contain anything.
 */
const PRESERVED_CHUNKS: Readonly<Record<string, Rule>> = {
  IHDR: () => true,
  // With other colour types it is only a hint for displays with few colours, and could contain any text.
  PLTE: (_, colorType) => colorType === 3,
  IEND: () => true,
  tRNS: ({ length }, colorType, colours) =>
    (colorType === 0 && length === 2) ||
    (colorType === 2 && length === 6) ||
    (colorType === 3 && length <= colours),
  gAMA: ofLength(4),
  cHRM: ofLength(32),
  sRGB: (data) => data.length === 1 && (data[0] ?? 0) <= 3,
  cICP: ofLength(4),
  mDCV: ofLength(24),
  cLLI: ofLength(8),
  pHYs: (data) => data.length === 9 && (data[8] ?? 0) <= 1,
};

/** Real profiles are up to 2 MB. */
const MAX_PROFILE_BYTES = 4 * 1024 * 1024;
const MAX_PROFILE_NAME = 79;

function insertChunk(pieces: Pieces, chunk: string, ...data: readonly Uint8Array[]) {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.reduce((sum, { length }) => sum + length, 0));
  head.write(chunk, 4, 'latin1');
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(data.reduce((sum, bytes) => crc32(bytes, sum), crc32(head.subarray(4))));
  for (const piece of [head, ...data, crc]) pieces.insert(piece);
}

/** The deflated ICC profile of an iCCP chunk, null when it is invalid; without its name, which is free text. */
function deflatedProfile(data: Uint8Array, bare: boolean): Uint8Array | null {
  const nameEnd = data.indexOf(0);
  if (nameEnd < 1 || nameEnd > MAX_PROFILE_NAME || data[nameEnd + 1] !== 0) return null;
  const deflated = data.subarray(nameEnd + 2);
  try {
    // @types/node does not type the result of `info`.
    const { buffer, engine } = inflateSync(deflated, {
      maxOutputLength: MAX_PROFILE_BYTES,
      info: true,
    }) as unknown as { buffer: Uint8Array; engine: Inflate };
    const isWhole = engine.bytesWritten === deflated.length;
    if (!isWhole || !isIccProfile(buffer, buffer.length)) return null;
    return bare ? deflateSync(withoutDescriptions(buffer), { level: 1 }) : deflated;
  } catch {
    return null;
  }
}

export function stripPng(
  bytes: Uint8Array,
  { parts, orientation, colorType }: PngFacts,
  { bareProfile = false } = {},
): Uint8Array[] {
  const pieces = collectPieces(bytes);
  const kept = new Set<string>();
  let colours = 0;
  for (const { chunk, start, end } of parts) {
    const data = bytes.subarray(start + 8, end - 4);
    const isLate = kept.has('IDAT') && chunk !== 'IEND';
    if (chunk === 'IDAT') {
      pieces.keep(start, end);
    } else if (isLate || kept.has(chunk)) {
      continue;
    } else if (chunk === 'iCCP') {
      const profile = deflatedProfile(data, bareProfile);
      if (profile !== null) insertChunk(pieces, chunk, Buffer.from('ICC profile\0\0', 'latin1'), profile);
      // Also where it is invalid: a file may have a thousand, and inflating each of them would take seconds.
    } else if (PRESERVED_CHUNKS[chunk]?.(data, colorType, colours) === true) {
      // The signature goes with the header that follows it.
      pieces.keep(chunk === 'IHDR' ? 0 : start, end);
    } else {
      continue;
    }
    kept.add(chunk);
    if (chunk === 'PLTE') colours = data.length / 3;
    if (chunk === 'IHDR' && orientation !== UPRIGHT)
      insertChunk(pieces, 'eXIf', orientationTiff(orientation));
  }
  return pieces.finish();
}
