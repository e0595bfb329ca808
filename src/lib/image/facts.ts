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
