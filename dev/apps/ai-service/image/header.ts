/** The header of an image, read without decoding a pixel. Sizes in pixels, as stored. */
export interface ImageHeader {
  format: 'jpeg' | 'png' | 'webp' | 'heic';
  /** 0 for a format that is only recognised (webp, heic), and for a broken header. */
  width: number;
  height: number;
  /** Colour components of a JPEG; 4 means CMYK or YCCK. */
  components?: number;
}

/** Recognises the format by its signature; undefined when it is none of the four. */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return jpegHeader(bytes);
  if (bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return pngHeader(bytes);
  const box = bytes.toString('latin1', 4, 12);
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && box.endsWith('WEBP')) return recognised('webp');
  if (/^ftyp(hei[cxms]|hev[cxms]|mif1|msf1|avif)$/.test(box)) return recognised('heic');
  return undefined;
}

const recognised = (format: ImageHeader['format']): ImageHeader => ({ format, width: 0, height: 0 });

/** IHDR must come first: length, type, width, height (section 11.2.2 of the PNG specification). */
function pngHeader(bytes: Buffer): ImageHeader {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return recognised('png');
  return { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Walks the marker segments up to the frame header (SOF; ITU-T T.81 B.2.2). */
function jpegHeader(bytes: Buffer): ImageHeader {
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return recognised('jpeg');
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1; // fill byte
      continue;
    }
    // C4 (Huffman tables), C8 (reserved) and CC (arithmetic conditioning) share the range of the frames.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return {
        format: 'jpeg',
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
        components: bytes[at + 9] ?? 0,
      };
    }
    if (marker === 0xd9 || marker === 0xda) return recognised('jpeg');
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return recognised('jpeg');
}
