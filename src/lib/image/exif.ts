const ORIENTATION_TAG = 0x0112;
const SHORT = 3;

/** EXIF's value for upright; a picture without a valid orientation counts as upright. */
export const UPRIGHT = 1;

/**
 * The orientation (1–8) in a TIFF block, the payload of EXIF in JPEG and PNG; null when it is absent or invalid. Like
 * browsers, it accepts only a single SHORT in the first directory. No offset is trusted.
 */
export function readOrientation(tiff: Uint8Array): number | null {
  if (tiff.length < 14) return null;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const byteOrder = view.getUint16(0);
  if (byteOrder !== 0x4949 && byteOrder !== 0x4d4d) return null;
  const little = byteOrder === 0x4949;
  if (view.getUint16(2, little) !== 42) return null;
  const directory = view.getUint32(4, little);
  if (directory > tiff.length - 2) return null;
  const count = view.getUint16(directory, little);
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > tiff.length) return null;
    if (view.getUint16(entry, little) !== ORIENTATION_TAG) continue;
    if (view.getUint16(entry + 2, little) !== SHORT || view.getUint32(entry + 4, little) !== 1) return null;
    const value = view.getUint16(entry + 8, little);
    return value >= 1 && value <= 8 ? value : null;
  }
  return null;
}

/** The smallest TIFF block with an orientation and nothing else: 26 bytes, big-endian. */
export function orientationTiff(orientation: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(26));
  view.setUint32(0, 0x4d4d002a);
  view.setUint32(4, 8);
  view.setUint16(8, 1);
  view.setUint16(10, ORIENTATION_TAG);
  view.setUint16(12, SHORT);
  view.setUint32(14, 1);
  view.setUint16(18, orientation);
  return new Uint8Array(view.buffer);
}
