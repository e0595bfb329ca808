import { crc32 } from 'node:zlib';

import { readOrientation, UPRIGHT } from './exif.ts';
import { type ImageRefusal, type PngFacts, type PngPart, refuse } from './facts.ts';
import { latin1 } from './sniff.ts';

/** 89 50 4e 47 0d 0a 1a 0a; PNG specification (third edition), section 5.2. */
export const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

/** Allowed bit depths by colour type; table 11.1. */
const BIT_DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

// Encoders write IDAT in pieces of at least 4 KiB, and a handful of other chunks.
const MAX_CHUNKS = 65_536;
const MAX_PARTS = 1024;
const MAX_LENGTH = 0x7fff_ffff;

type Header = Pick<PngFacts, 'widthPx' | 'heightPx' | 'bitDepth' | 'colorType' | 'interlaced'>;

function readHeader(data: Uint8Array): Header | ImageRefusal {
  if (data.length !== 13) return refuse('corrupt', 'The PNG header (IHDR) is damaged.');
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const [bitDepth = 0, colorType = 0, compression, filter, interlace = 0] = data.subarray(8);
  const widthPx = view.getUint32(0);
  const heightPx = view.getUint32(4);
  if (widthPx === 0 || heightPx === 0)
    return refuse('corrupt', 'The PNG header declares zero width or height.');
  const isKnown = BIT_DEPTHS[colorType]?.includes(bitDepth) === true;
  if (!isKnown || widthPx > MAX_LENGTH || heightPx > MAX_LENGTH) {
    return refuse('corrupt', 'The PNG header (IHDR) is damaged.');
  }
  if (compression !== 0 || filter !== 0 || interlace > 1) {
    return refuse('unsupported', 'The PNG uses an unknown compression, filter or interlace method.');
  }
  return { widthPx, heightPx, bitDepth, colorType, interlaced: interlace === 1 };
}

/** Why a chunk is not allowed after the chunks in `seen`; null when it is. */
function misplacement(chunk: string, length: number, colorType: number, seen: ReadonlySet<string>) {
  if (chunk === 'acTL' || chunk === 'fdAT') {
    return refuse('unsupported', 'The PNG is animated (APNG); send a still picture.');
  }
  if (chunk === 'IHDR') return refuse('corrupt', 'The PNG has two headers.');
  if (chunk === 'PLTE') {
    const isPalette = length % 3 === 0 && length > 0 && length <= 3 * 256;
    if (!isPalette || seen.has('PLTE') || seen.has('IDAT'))
      return refuse('corrupt', 'The PNG palette is damaged.');
  } else if (chunk === 'IDAT') {
    if (seen.has('IDAT')) return refuse('corrupt', 'The PNG picture data is not in one piece.');
    if (colorType === 3 && !seen.has('PLTE')) return refuse('corrupt', 'The PNG lacks its palette.');
  } else if (chunk === 'IEND') {
    if (length !== 0 || !seen.has('IDAT')) return refuse('corrupt', 'The PNG holds no picture.');
  } else if (/^[A-Z]/.test(chunk)) {
    return refuse('unsupported', `The PNG needs the unknown extension ${chunk}.`);
  }
  return null;
}

/**
 * Walks a PNG chunk by chunk from IHDR to IEND and checks every CRC, without inflating anything. `bytes` starts with the
 * PNG signature. Time is linear in the length; memory is bounded by the number of accepted chunks.
 */
export function inspectPng(bytes: Uint8Array): PngFacts | ImageRefusal {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: PngPart[] = [];
  const seen = new Set<string>();
  let header: Header | null = null;
  let orientation: number | null = null;
  let start = PNG_SIGNATURE.length;
  for (let chunks = 0; chunks < MAX_CHUNKS && parts.length < MAX_PARTS; chunks += 1) {
    if (start + 12 > bytes.length) return refuse('truncated', 'The PNG ends before its end chunk (IEND).');
    const length = view.getUint32(start);
    const chunk = latin1(bytes, start + 4, 4);
    if (length > MAX_LENGTH || !/^[A-Za-z]{4}$/.test(chunk))
      return refuse('corrupt', 'A PNG chunk is damaged.');
    if (header === null && chunk === 'CgBI')
      return refuse('unsupported', 'This is an iOS app icon, not a standard PNG.');
    if (header === null && chunk !== 'IHDR')
      return refuse('corrupt', 'The PNG does not start with its header.');
    const end = start + 12 + length;
    if (end > bytes.length) return refuse('truncated', `The PNG is cut off in its ${chunk} chunk.`);
    if (crc32(bytes.subarray(start + 4, end - 4)) !== view.getUint32(end - 4)) {
      return refuse('corrupt', `The checksum of the PNG chunk ${chunk} is wrong.`);
    }
    const data = bytes.subarray(start + 8, end - 4);

    const previous = parts.at(-1);
    if (header === null) {
      const read = readHeader(data);
      if ('ok' in read) return read;
      header = read;
    } else if (chunk === 'IDAT' && previous?.chunk === 'IDAT') {
      previous.end = end;
      start = end;
      continue;
    } else {
      const problem = misplacement(chunk, length, header.colorType, seen);
      if (problem !== null) return problem;
    }
    if (chunk === 'eXIf') orientation ??= readOrientation(data);
    parts.push({ chunk, start, end });
    seen.add(chunk);
    if (chunk === 'IEND') {
      const size = { orientation: orientation ?? UPRIGHT, endOffset: end, trailingBytes: bytes.length - end };
      return { ok: true, type: 'image/png', ...header, ...size, parts };
    }
    start = end;
  }
  return refuse('corrupt', 'The PNG has too many chunks.');
}
