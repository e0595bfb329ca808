import type { ImageFacts } from './facts.ts';
import { stripJpeg } from './strip-jpeg.ts';
import { stripPng } from './strip-png.ts';

/**
 * The picture without its metadata, as pieces to write in order: views of `bytes`, and new segments of a few bytes. It
 * copies and recompresses no picture data, so the pixels stay identical.
 *
 * Removed: everything after the picture's end; in JPEG all EXIF, XMP, IPTC/Photoshop, MPF, comments, thumbnails and
 * unknown APPn; in PNG all text, time, EXIF and every ancillary chunk that is not needed to show the picture (also bKGD,
 * hIST, sBIT and sPLT). Preserved: the orientation, in a new EXIF block with nothing else; a valid ICC profile; JFIF
 * version and density; Adobe's colour transform; PNG palette, transparency, colour space and pHYs. Data hidden in the
 * pixels themselves stay: only recompression could remove them.
 *
 * @param facts the result of `inspectImage` for these very bytes.
 * @param options `bareProfile` removes everything from the ICC profile that colours do not depend on, because its
 *   description may name a device or its owner. Costs a copy of the profile.
 */
export function stripMetadata(
  bytes: Uint8Array,
  facts: ImageFacts,
  options: { bareProfile?: boolean } = {},
): Uint8Array[] {
  return facts.type === 'image/jpeg' ? stripJpeg(bytes, facts, options) : stripPng(bytes, facts, options);
}
