import { latin1 } from './sniff.ts';

const HEADER_BYTES = 128;
// Writers may pad the profile to a multiple of four.
const PADDING_BYTES = 3;

/**
 * Whether `totalBytes` bytes that start with `start` are an ICC profile and nothing more: the profile's own size
 * (bytes 0–3) and its signature `acsp` (36–39); ICC.1:2022, section 7.2. Its tags are not looked into: they may
 * name a display, and are kept, because colours would change without them.
 */
export function isIccProfile(start: Uint8Array, totalBytes: number): boolean {
  if (start.length < HEADER_BYTES || latin1(start, 36, 4) !== 'acsp') return false;
  const ownBytes = new DataView(start.buffer, start.byteOffset, start.byteLength).getUint32(0);
  return ownBytes >= HEADER_BYTES && ownBytes <= totalBytes && ownBytes + PADDING_BYTES >= totalBytes;
}
