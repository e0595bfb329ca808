/** Formats that users send instead of a JPEG or PNG, by signature (`latin1` text at an offset). */
const SIGNATURES: readonly (readonly [format: string, offset: number, text: string])[] = [
  ['a GIF image', 0, 'GIF87a'],
  ['a GIF image', 0, 'GIF89a'],
  ['a WebP image', 8, 'WEBP'],
  ['a TIFF image or camera raw file', 0, 'II*\0'],
  ['a TIFF image or camera raw file', 0, 'MM\0*'],
  ['a JPEG XL image', 0, '\xff\x0a'],
  ['a JPEG XL image', 4, 'JXL \r\n\x87\n'],
  ['a JPEG 2000 image', 4, 'jP  \r\n\x87\n'],
  ['a DICOM file', 128, 'DICM'],
  ['a PDF document', 0, '%PDF-'],
  ['a ZIP archive or Office document', 0, 'PK\x03\x04'],
  ['a ZIP archive or Office document', 0, 'PK\x05\x06'],
  ['a gzip archive', 0, '\x1f\x8b'],
  ['a Windows icon', 0, '\0\0\x01\0'],
  ['a Photoshop document', 0, '8BPS'],
  ['a BMP image', 0, 'BM'],
];

/** `ftyp` brands of ISO base media files, ISO/IEC 23008-12 and 14496-12. */
const HEIF_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'];

/** The text of at most `length` bytes from `offset`, one character per byte. */
export function latin1(bytes: Uint8Array, offset: number, length: number): string {
  const end = Math.min(offset + length, bytes.length);
  return end <= offset
    ? ''
    : Buffer.from(bytes.buffer, bytes.byteOffset + offset, end - offset).toString('latin1');
}

function markupName(bytes: Uint8Array): string | null {
  const start = latin1(bytes, 0, 512)
    .replaceAll('\0', '') // UTF-16 text reads the same without its zero bytes
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*/, '')
    .toLowerCase();
  if (start.startsWith('<svg') || (start.startsWith('<?xml') && start.includes('<svg')))
    return 'an SVG image';
  if (start.startsWith('<!doctype html') || start.startsWith('<html')) return 'an HTML page';
  if (start.startsWith('<?xml') || start.startsWith('<!doctype')) return 'an XML document';
  return null;
}

/**
 * Names the likely format of a file that is not a JPEG or PNG, for the detail of a refusal; null when it is unknown. Only
 * a hint for the sender: nothing depends on it.
 */
export function describeForeignFormat(bytes: Uint8Array): string | null {
  if (latin1(bytes, 4, 4) === 'ftyp') {
    const brand = latin1(bytes, 8, 4);
    if (HEIF_BRANDS.includes(brand)) return 'a HEIC image';
    return brand === 'avif' || brand === 'avis' ? 'an AVIF image' : 'a video';
  }
  const known = SIGNATURES.find(([, offset, text]) => latin1(bytes, offset, text.length) === text);
  return known?.[0] ?? markupName(bytes);
}
