/** What the gateway takes (its documentation: 15 MB and 50 megapixels, JPEG or PNG). */
export const photoLimits = { maxBytes: 15 * 1024 * 1024, maxPixels: 50_000_000 } as const;

export interface PhotoFacts {
  type: string;
  bytes: number;
  width: number;
  height: number;
}

export interface Size {
  width: number;
  height: number;
}

/** Undefined when the photo can be sent as it is; else the size to draw it again in, as a JPEG. */
export function sizeToRedraw({ type, bytes, width, height }: PhotoFacts): Size | undefined {
  const tooManyPixels = width * height > photoLimits.maxPixels;
  const foreign = type !== 'image/jpeg' && type !== 'image/png';
  if (!tooManyPixels && !foreign && bytes <= photoLimits.maxBytes) return undefined;
  return tooManyPixels ? shrink({ width, height }, photoLimits.maxPixels) : { width, height };
}

/** The largest size of the same shape with at most `pixels`. */
export function shrink({ width, height }: Size, pixels: number): Size {
  const factor = Math.min(1, Math.sqrt(pixels / (width * height)));
  return { width: Math.max(1, Math.floor(width * factor)), height: Math.max(1, Math.floor(height * factor)) };
}
