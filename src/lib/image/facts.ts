/**
 * A piece of the file, as byte offsets into the bytes that were inspected. Pieces are in file order and do not
 * overlap; bytes between two pieces (fill bytes, stray bytes) belong to no piece and mean nothing to a decoder.
 */
export type JpegPart = {
  /** Second byte of the marker: 0xe1 is APP1, 0xda a scan. */
  marker: number;
  /** Offset of the marker's 0xff. */
  start: number;
  /** One past the segment; for a scan, one past its entropy-coded data. */
  end: number;
};

export type PngPart = {
  /** Four letters, e.g. `IHDR`. Consecutive IDAT chunks are one piece. */
  chunk: string;
  start: number;
  end: number;
};

type PictureFacts = {
  ok: true;
  /** As stored, before `orientation` is applied. */
  widthPx: number;
  heightPx: number;
  /** EXIF tag 0x0112: 1 is upright; 1 also when absent or invalid. */
  orientation: number;
  /** One past the last byte of the picture (JPEG: EOI, PNG: IEND). */
  endOffset: number;
  /** Bytes after the picture: motion photos, gain maps, appended HTML or ZIP. */
  trailingBytes: number;
};

export type JpegFacts = PictureFacts & {
  type: 'image/jpeg';
  progressive: boolean;
  /** 1 grey, 3 colour. */
  components: number;
  parts: readonly JpegPart[];
};

export type PngFacts = PictureFacts & {
  type: 'image/png';
  /** Bits per sample: 1, 2, 4, 8, 16. */
  bitDepth: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA. */
  colorType: number;
  interlaced: boolean;
  parts: readonly PngPart[];
};

export type ImageFacts = JpegFacts | PngFacts;

export type ImageRefusal = {
  ok: false;
  reason: 'empty' | 'not_jpeg_or_png' | 'truncated' | 'corrupt' | 'unsupported';
  /** One English sentence, safe to show to the sender. */
  detail: string;
};

export const refuse = (reason: ImageRefusal['reason'], detail: string): ImageRefusal => ({
  ok: false,
  reason,
  detail,
});

/** Samples per pixel of a PNG by its colour type; PNG specification (third edition), table 11.1. */
const PNG_CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Bytes that a decoder holds at once for a picture whose first row is not complete before its last byte is read: the
 * coefficients of a progressive JPEG, the pixels of an interlaced PNG; 0 for the others, which are read row by row.
 */
export function heldBytes(facts: ImageFacts): number {
  const pixels = facts.widthPx * facts.heightPx;
  if (facts.type === 'image/jpeg') return facts.progressive ? pixels * facts.components * 2 : 0;
  return facts.interlaced ? (pixels * (PNG_CHANNELS[facts.colorType] ?? 4) * facts.bitDepth) / 8 : 0;
}

/** Cameras of phones take 12 to 24 megapixels; a progressive photo of 12 has ten scans. */
const COSTLY_PIXELS = 25_000_000;
const COSTLY_SCANNED_PIXELS = 150_000_000;
const SOS = 0xda;

/** Whether a picture takes much longer to decode than a photo usually does. */
export function isCostly(facts: ImageFacts): boolean {
  const pixels = facts.widthPx * facts.heightPx;
  if (facts.type === 'image/png') return pixels > COSTLY_PIXELS;
  const scans = facts.parts.filter(({ marker }) => marker === SOS).length;
  return pixels > COSTLY_PIXELS || pixels * scans > COSTLY_SCANNED_PIXELS;
}
