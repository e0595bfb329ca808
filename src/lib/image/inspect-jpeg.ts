import { readOrientation, UPRIGHT } from './exif.ts';
import { type ImageRefusal, type JpegFacts, type JpegPart, refuse } from './facts.ts';
import { latin1 } from './sniff.ts';

// Marker codes of ITU-T T.81, table B.1.
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const DNL = 0xdc;
const APP1 = 0xe1;
const TEM = 0x01;

/** Coding processes that neither browsers nor our decoder support, by their marker (SOFn, DHP, EXP). */
const UNSUPPORTED_PROCESSES: Readonly<Record<number, string>> = {
  0xc3: 'lossless',
  0xc5: 'hierarchical',
  0xc6: 'hierarchical',
  0xc7: 'hierarchical',
  0xc9: 'arithmetic-coded',
  0xca: 'arithmetic-coded',
  0xcb: 'arithmetic-coded',
  0xcd: 'hierarchical',
  0xce: 'hierarchical',
  0xcf: 'hierarchical',
  0xde: 'hierarchical',
  0xdf: 'hierarchical',
};

// A camera writes a dozen segments; extended XMP and ICC profiles, in pieces of 64 KiB, some hundreds.
const MAX_SEGMENTS = 4096;
// Encoders write about ten scans. Each costs a pass over the whole picture, even if the scan has only a few bytes.
const MAX_SCANS = 100;
/** Twelve scans of the largest picture, or a hundred of 6 megapixels: about two seconds of decoding. */
const MAX_SCANNED_PIXELS = 600_000_000;

type Frame = Pick<JpegFacts, 'widthPx' | 'heightPx' | 'progressive' | 'components'> & {
  componentIds: Set<number>;
};

const SOF_MARKERS = [0xc0, 0xc1, 0xc2, ...Object.keys(UNSUPPORTED_PROCESSES).map(Number)];
/** Segments that may stand beside frames and scans: DHT, DAC, DQT, DRI, APPn, COM. */
const OTHER_MARKERS = new Set([
  0xc4,
  0xcc,
  0xdb,
  0xdd,
  0xfe,
  ...Array.from({ length: 16 }, (_, n) => 0xe0 + n),
]);

/** APPn, COM. */
const isMetadata = (marker: number) => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
const isRestart = (code: number) => code >= 0xd0 && code <= 0xd7;

/** Bytes without ff after which a native search is faster; starting one costs as much as checking some bytes. */
const FAR = 32;

/**
 * Offset of the next marker's code byte at or after `from`, or -1. Skips what decoders skip: stuffed bytes (ff 00), fill
 * bytes (ff ff), restart markers and stray bytes. So it finds both the next segment and the end of a scan's entropy-coded
 * data. One pass for any input.
 */
function nextMarker(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  for (let offset = from; offset < length; offset += 1) {
    // Checks two single bytes first, because the loop and the search below cost more.
    if (bytes[offset] !== 0xff && bytes[(offset += 1)] !== 0xff) {
      const far = Math.min(offset + FAR, length);
      while (offset < far && bytes[offset] !== 0xff) offset += 1;
      if (offset === far) offset = bytes.indexOf(0xff, offset);
      if (offset === -1) return -1;
    }
    let code = bytes[(offset += 1)];
    while (code === 0xff) code = bytes[(offset += 1)];
    if (code === undefined) return -1;
    if (code !== 0 && code !== TEM && !isRestart(code)) return offset;
  }
  return -1;
}

function readFrame(marker: number, payload: Uint8Array): Frame | ImageRefusal {
  const process = UNSUPPORTED_PROCESSES[marker];
  if (process !== undefined)
    return refuse('unsupported', `This is a ${process} JPEG, which is not supported.`);
  const [precision = 0, h1 = 0, h0 = 0, w1 = 0, w0 = 0, components = 0] = payload;
  if (payload.length < 6 || payload.length !== 6 + 3 * components) {
    return refuse('corrupt', 'The JPEG frame header is damaged.');
  }
  const widthPx = w1 * 256 + w0;
  const heightPx = h1 * 256 + h0;
  if (widthPx === 0 || heightPx === 0)
    return refuse('corrupt', 'The JPEG header declares zero width or height.');
  if (precision !== 8) {
    return refuse('unsupported', `The JPEG has ${precision} bits per sample; only 8 are supported.`);
  }
  if (components === 4) return refuse('unsupported', 'The JPEG is CMYK (for print); send it as RGB.');
  if (components !== 1 && components !== 3) {
    return refuse('unsupported', `The JPEG has ${components} colour components; only 1 and 3 are supported.`);
  }
  const componentIds = new Set<number>();
  for (let index = 6; index < payload.length; index += 3) componentIds.add(payload[index] ?? 0);
  return { widthPx, heightPx, components, componentIds, progressive: marker === 0xc2 };
}

/**
 * The components whose first data the scan carries: all in a sequential JPEG, in a progressive one those with the first bits
 * of DC. A refinement of DC alone decodes to a grey picture.
 */
function readScanHeader(payload: Uint8Array, frame: Frame): number[] | ImageRefusal {
  const count = payload[0] ?? 0;
  if (count < 1 || count > 4 || payload.length !== 4 + 2 * count) {
    return refuse('corrupt', 'A JPEG scan header is damaged.');
  }
  const ids = Array.from({ length: count }, (_, index) => payload[1 + 2 * index] ?? 0);
  if (ids.some((id) => !frame.componentIds.has(id))) {
    return refuse('corrupt', 'A JPEG scan names a component that the frame does not have.');
  }
  const [firstCoefficient, , approximation = 0] = payload.subarray(1 + 2 * count);
  const isRefinement = approximation >> 4 !== 0;
  const startsPicture = !frame.progressive || (firstCoefficient === 0 && !isRefinement);
  return startsPicture ? ids : [];
}

const exifOrientation = (payload: Uint8Array) =>
  latin1(payload, 0, 5) === 'Exif\0' ? readOrientation(payload.subarray(6)) : null;

/**
 * Walks a JPEG from SOI through every scan to EOI, without decoding. `bytes` starts with ff d8. Time is linear in the
 * length; memory is bounded by the number of accepted segments.
 */
export function inspectJpeg(bytes: Uint8Array): JpegFacts | ImageRefusal {
  const parts: JpegPart[] = [];
  const missing = new Set<number>();
  let frame: Frame | null = null;
  let orientation: number | null = null;
  let scans = 0;
  /** After a sequential scan of all components no other scan may follow. */
  let isWhole = false;
  let offset = 2;
  for (;;) {
    const codeAt = nextMarker(bytes, offset);
    const marker = bytes[codeAt];
    if (marker === undefined) return refuse('truncated', 'The JPEG ends before its end marker (EOI).');
    if (marker === SOI) return refuse('corrupt', 'A second JPEG starts inside the first.');
    const start = codeAt - 1;
    if (marker === EOI) {
      if (frame === null || scans === 0) return refuse('corrupt', 'The JPEG holds no picture.');
      if (missing.size > 0) return refuse('corrupt', 'The JPEG lacks a colour component.');
      parts.push({ marker, start, end: codeAt + 1 });
      const { widthPx, heightPx, progressive, components } = frame;
      const endOffset = codeAt + 1;
      const trailingBytes = bytes.length - endOffset;
      const size = { widthPx, heightPx, orientation: orientation ?? UPRIGHT, endOffset, trailingBytes };
      return { ok: true, type: 'image/jpeg', ...size, progressive, components, parts };
    }
    if (parts.length >= MAX_SEGMENTS)
      return refuse('corrupt', `The JPEG has more than ${MAX_SEGMENTS} segments.`);

    const length = (bytes[codeAt + 1] ?? 0) * 256 + (bytes[codeAt + 2] ?? 0);
    let end = codeAt + 1 + length;
    if (end > bytes.length || codeAt + 3 > bytes.length)
      return refuse('truncated', 'A JPEG segment is cut off.');
    if (length < 2) return refuse('corrupt', 'A JPEG segment has an impossible length.');
    const payload = bytes.subarray(codeAt + 3, end);

    if (marker === DNL)
      return refuse(
        'unsupported',
        'The JPEG declares its height after the picture (DNL), which is not supported.',
      );
    if (isWhole && !isMetadata(marker)) return refuse('corrupt', 'The JPEG continues after its only scan.');
    if (SOF_MARKERS.includes(marker)) {
      if (frame !== null) return refuse('corrupt', 'The JPEG has two frame headers.');
      const read = readFrame(marker, payload);
      if ('ok' in read) return read;
      frame = read;
      for (const id of read.componentIds) missing.add(id);
    } else if (marker === SOS) {
      if (frame === null) return refuse('corrupt', 'A JPEG scan comes before the frame header.');
      const ids = readScanHeader(payload, frame);
      if ('ok' in ids) return ids;
      for (const id of ids) missing.delete(id);
      scans += 1;
      isWhole ||= scans === 1 && !frame.progressive && ids.length === frame.components;
      if (scans > MAX_SCANS) return refuse('unsupported', `The JPEG has more than ${MAX_SCANS} scans.`);
      if (scans * frame.widthPx * frame.heightPx > MAX_SCANNED_PIXELS) {
        return refuse(
          'unsupported',
          'The JPEG has too many scans for its size; save it without "progressive".',
        );
      }
      const next = nextMarker(bytes, end);
      if (next === -1) return refuse('truncated', 'The JPEG ends inside its picture data.');
      end = next - 1;
    } else if (marker === APP1) {
      orientation ??= exifOrientation(payload);
    } else if (!OTHER_MARKERS.has(marker)) {
      return refuse('corrupt', 'The JPEG has a segment of an unknown kind.');
    }
    parts.push({ marker, start, end });
    offset = end;
  }
}
