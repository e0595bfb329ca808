import { crc32, type Inflate, inflateSync } from 'node:zlib';

import { orientationTiff, UPRIGHT } from './exif.ts';
import type { PngFacts, PngPart } from './facts.ts';
import { isIccProfile } from './icc.ts';
import { collectPieces, type Pieces } from './pieces.ts';

/** Chunks without which the picture would decode or look different, with the only lengths they can have. */
const KEPT: Readonly<Record<string, (length: number) => boolean>> = {
  IHDR: (length) => length === 13,
  PLTE: () => true,
  IDAT: () => true,
  IEND: (length) => length === 0,
  tRNS: (length) => length <= 256,
  gAMA: (length) => length === 4,
  cHRM: (length) => length === 32,
  sRGB: (length) => length === 1,
  cICP: (length) => length === 4,
  mDCV: (length) => length === 24,
  cLLI: (length) => length === 8,
  sBIT: (length) => length <= 4,
  pHYs: (length) => length === 9,
};

/** Real profiles have up to 2 MB. */
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

/** The deflated ICC profile of an iCCP chunk; null when it is something else. Its name is free text: not kept. */
function deflatedProfile(data: Uint8Array): Uint8Array | null {
  const nameEnd = data.indexOf(0);
  if (nameEnd < 1 || nameEnd > MAX_PROFILE_NAME || data[nameEnd + 1] !== 0) return null;
  const deflated = data.subarray(nameEnd + 2);
  try {
    // @types/node does not know what `info` changes.
    const { buffer, engine } = inflateSync(deflated, {
      maxOutputLength: MAX_PROFILE_BYTES,
      info: true,
    }) as unknown as { buffer: Uint8Array; engine: Inflate };
    const isWhole = engine.bytesWritten === deflated.length;
    return isWhole && isIccProfile(buffer, buffer.length) ? deflated : null;
  } catch {
    return null;
  }
}

export function stripPng(bytes: Uint8Array, { parts, orientation }: PngFacts): Uint8Array[] {
  const pieces = collectPieces(bytes);
  const kept = new Set<string>();
  const isKept = ({ chunk, start, end }: PngPart) =>
    chunk === 'IDAT' || (!kept.has(chunk) && KEPT[chunk]?.(end - start - 12) === true);
  for (const part of parts) {
    const { chunk, start, end } = part;
    if (chunk === 'iCCP' && !kept.has(chunk)) {
      const profile = deflatedProfile(bytes.subarray(start + 8, end - 4));
      if (profile === null) continue;
      insertChunk(pieces, chunk, Buffer.from('ICC profile\0\0', 'latin1'), profile);
    } else if (isKept(part)) {
      // The signature is kept with the header that follows it.
      pieces.keep(chunk === 'IHDR' ? 0 : start, end);
    } else {
      continue;
    }
    kept.add(chunk);
    if (chunk === 'IHDR' && orientation !== UPRIGHT)
      insertChunk(pieces, 'eXIf', orientationTiff(orientation));
  }
  return pieces.finish();
}
