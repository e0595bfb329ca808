import type { ImageFacts } from './facts.ts';
import { stripJpeg } from './strip-jpeg.ts';
import { stripPng } from './strip-png.ts';

/**
 * The picture without its metadata, as pieces to be written one after another: views of `bytes`, and new segments
 * of a few bytes. No picture data is copied or recompressed, so the pixels stay identical. `facts` is what
 * `inspectImage` said of these very bytes.
 *
 * Goes: everything after the picture's end; in JPEG all EXIF, XMP, IPTC/Photoshop, MPF, comments, thumbnails and
 * unknown APPn; in PNG all text, time, EXIF and every ancillary chunk that is not needed to show the picture
 * (bKGD, hIST, sBIT and sPLT too). Stays: the orientation, in a new EXIF block that holds nothing else; a valid ICC
 * profile; JFIF version and density; Adobe's colour transform; PNG palette, transparency, colour space and pHYs.
 * Not touched, because only recompression could: what a sender hides in the picture data themselves.
 *
 * @param options `bareProfile`: of the ICC profile stays only what colours are computed from. Its description may
 *   name a device or its owner. Costs a copy of the profile.
 */
export function stripMetadata(
  bytes: Uint8Array,
  facts: ImageFacts,
  options: { bareProfile?: boolean } = {},
): Uint8Array[] {
  return facts.type === 'image/jpeg' ? stripJpeg(bytes, facts, options) : stripPng(bytes, facts, options);
}
