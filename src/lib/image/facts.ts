/**
 * A segment of the file, as byte offsets. Segments are in file order and do not overlap; decoders ignore the bytes
 * between two segments (fill bytes, stray bytes).
 */
export type JpegPart = {
  /** Second byte of the marker: 0xe1 is APP1, 0xda a scan. */
  marker: number;
  /** Offset of the marker's 0xff. */
  start: number;
  /** Offset after the segment; for a scan, after its entropy-coded data. */
  end: number;
};

export type PngPart = {
  /** Four letters, e.g. `IHDR`. Consecutive IDAT chunks are one part. */
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
  /** Offset after the last byte of the picture (JPEG: EOI, PNG: IEND). */
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
  /** One English sentence for the sender; contains nothing from the file but sizes and chunk names. */
  detail: string;
};

export const refuse = (reason: ImageRefusal['reason'], detail: string): ImageRefusal => ({
  ok: false,
  reason,
  detail,
});

/** Samples per pixel of a PNG by colour type; PNG specification (third edition), table 11.1. */
const PNG_CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Bytes that a decoder must hold at once: the coefficients of a progressive JPEG or the pixels of an interlaced PNG,
 * whose first row is incomplete until the last byte is read; 0 for pictures that are decoded row by row.
 */
export function heldBytes(facts: ImageFacts): number {
  const pixels = facts.widthPx * facts.heightPx;
  if (facts.type === 'image/jpeg') return facts.progressive ? pixels * facts.components * 2 : 0;
  return facts.interlaced ? (pixels * (PNG_CHANNELS[facts.colorType] ?? 4) * facts.bitDepth) / 8 : 0;
}

/** Phone cameras take 12 to 24 megapixels; a progressive 12-megapixel photo has ten scans. */
const COSTLY_PIXELS = 25_000_000;
const COSTLY_SCANNED_PIXELS = 150_000_000;
const SOS = 0xda;

/** Whether a picture takes much longer to decode than an ordinary photo. */
export function isCostly(facts: ImageFacts): boolean {
  const pixels = facts.widthPx * facts.heightPx;
  if (facts.type === 'image/png') return pixels > COSTLY_PIXELS;
  const scans = facts.parts.filter(({ marker }) => marker === SOS).length;
  return pixels > COSTLY_PIXELS || pixels * scans > COSTLY_SCANNED_PIXELS;
}
