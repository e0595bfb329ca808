import { type ImageFacts, type ImageRefusal, refuse } from './facts.ts';
import { inspectJpeg } from './inspect-jpeg.ts';
import { inspectPng, PNG_SIGNATURE } from './inspect-png.ts';
import { describeForeignFormat, latin1 } from './sniff.ts';

const JPEG_SIGNATURE = '\xff\xd8\xff';

/**
 * Identifies a file by its bytes alone: name and declared type prove nothing. It decodes nothing, so `widthPx × heightPx`
 * can be checked before a decoder runs; `createImageDecoder` checks whether the pixels decode. Never throws, never
 * copies, reads each byte a few times at most.
 *
 * Besides everything that is not a JPEG or PNG it refuses cut-off files (no EOI or IEND: `truncated`), damaged headers
 * and checksums (`corrupt`), and pictures that cannot be decoded or would lose content as one still picture
 * (`unsupported`): arithmetic, lossless and hierarchical JPEG, 12 bits, CMYK/YCCK, a height in DNL, over 100 scans, APNG,
 * unknown critical PNG chunks. It accepts progressive JPEG, stray bytes between JPEG segments, 16-bit, palette, grey,
 * alpha and interlaced PNG, and anything after the picture's end.
 */
export function inspectImage(bytes: Uint8Array): ImageFacts | ImageRefusal {
  if (bytes.length === 0) return refuse('empty', 'The file is empty.');
  const start = latin1(bytes, 0, PNG_SIGNATURE.length);
  if (start.startsWith(JPEG_SIGNATURE)) return inspectJpeg(bytes);
  if (start === PNG_SIGNATURE) return inspectPng(bytes);
  if (JPEG_SIGNATURE.startsWith(start) || PNG_SIGNATURE.startsWith(start)) {
    return refuse('truncated', 'The file ends after its first bytes.');
  }
  if (start.startsWith('\x89PNG')) return refuse('corrupt', 'The PNG was damaged by a transfer as text.');
  const format = describeForeignFormat(bytes);
  return refuse(
    'not_jpeg_or_png',
    `The file is not a JPEG or PNG${format === null ? '' : `; it looks like ${format}`}.`,
  );
}
