import { orientationTiff, UPRIGHT } from './exif.ts';
import type { JpegFacts, JpegPart } from './facts.ts';
import { isIccProfile, withoutDescriptions } from './icc.ts';
import { collectPieces } from './pieces.ts';
import { latin1 } from './sniff.ts';

const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const COM = 0xfe;

const JFIF_BYTES = 14;
const ADOBE_BYTES = 12;
/** `ICC_PROFILE\0`, the part's number, the number of parts; ICC.1:2022, annex B.4. */
const ICC_HEAD_BYTES = 14;

const isMetadataMarker = (marker: number) => (marker >= APP0 && marker <= 0xef) || marker === COM;

const payloadOf = (bytes: Uint8Array, { start, end }: JpegPart) => bytes.subarray(start + 4, end);

function segment(marker: number, ...payload: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(payload);
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** The parts of the embedded ICC profile in order; empty when a part is missing or repeated or the profile is invalid. */
function iccParts(bytes: Uint8Array, parts: readonly JpegPart[]): JpegPart[] {
  const found = parts.filter(
    (part) => part.marker === APP2 && latin1(payloadOf(bytes, part), 0, 12) === 'ICC_PROFILE\0',
  );
  const byNumber = new Map(found.map((part) => [payloadOf(bytes, part)[12] ?? 0, payloadOf(bytes, part)]));
  const isComplete =
    byNumber.size === found.length &&
    [...byNumber].every(
      ([number, { 13: count }]) => count === found.length && number >= 1 && number <= count,
    );
  if (!isComplete) return [];
  const total = [...byNumber.values()].reduce((sum, payload) => sum + payload.length - ICC_HEAD_BYTES, 0);
  const first = byNumber.get(1)?.subarray(ICC_HEAD_BYTES);
  if (first === undefined || !isIccProfile(first, total)) return [];
  const numberOf = (part: JpegPart) => payloadOf(bytes, part)[12] ?? 0;
  return found.toSorted((a, b) => numberOf(a) - numberOf(b));
}

/** New segments of the same lengths for the parts of an ICC profile, without its descriptions. */
function bareIccParts(bytes: Uint8Array, parts: readonly JpegPart[]): Map<JpegPart, Uint8Array> {
  const payloads = parts.map((part) => payloadOf(bytes, part));
  const bare = withoutDescriptions(
    Buffer.concat(payloads.map((payload) => payload.subarray(ICC_HEAD_BYTES))),
  );
  let at = 0;
  return new Map(
    parts.map((part, index) => {
      const payload = payloads[index] ?? new Uint8Array();
      const length = payload.length - ICC_HEAD_BYTES;
      const data = bare.subarray(at, (at += length));
      return [part, segment(APP2, payload.subarray(0, ICC_HEAD_BYTES), data)];
    }),
  );
}

/** The JFIF header without its thumbnail: version and pixel density. */
function jfifHeader(bytes: Uint8Array, parts: readonly JpegPart[]): Uint8Array | null {
  for (const part of parts) {
    const payload = payloadOf(bytes, part);
    if (part.marker !== APP0 || payload.length < JFIF_BYTES || latin1(payload, 0, 5) !== 'JFIF\0') continue;
    return segment(APP0, payload.subarray(0, JFIF_BYTES - 2), new Uint8Array(2));
  }
  return null;
}

export function stripJpeg(
  bytes: Uint8Array,
  { parts, orientation }: JpegFacts,
  { bareProfile = false } = {},
): Uint8Array[] {
  const pieces = collectPieces(bytes);
  const icc = new Set(iccParts(bytes, parts));
  const bareIcc = bareProfile && icc.size > 0 ? bareIccParts(bytes, [...icc]) : undefined;
  pieces.keep(0, 2);
  const jfif = jfifHeader(bytes, parts);
  if (jfif !== null) pieces.insert(jfif);
  if (orientation !== UPRIGHT) {
    pieces.insert(segment(APP1, Buffer.from('Exif\0\0', 'latin1'), orientationTiff(orientation)));
  }
  for (const part of parts) {
    const bare = bareIcc?.get(part);
    if (bare !== undefined) {
      pieces.insert(bare);
    } else if (!isMetadataMarker(part.marker) || icc.has(part)) {
      pieces.keep(part.start, part.end);
    } else if (part.marker === APP14) {
      const payload = payloadOf(bytes, part);
      if (latin1(payload, 0, 5) !== 'Adobe' || payload.length < ADOBE_BYTES) continue;
      pieces.insert(segment(APP14, payload.subarray(0, ADOBE_BYTES)));
    }
  }
  return pieces.finish();
}
