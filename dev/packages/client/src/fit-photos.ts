import { drawJpeg, openPicture, type Picture } from './canvas.ts';

/** The gateway's limits: for one photo, and for all photos of a form together. */
export const photoLimits = { maxBytes: 15 * 1024 * 1024, maxPixels: 50_000_000 } as const;
export const formLimits = { maxBytes: 20 * 1024 * 1024 } as const;

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

/** Undefined when the photo can be sent unchanged; otherwise the size to redraw it in, as a JPEG. */
export function sizeToRedraw(
  { type, bytes, width, height }: PhotoFacts,
  maxBytes: number = photoLimits.maxBytes,
): Size | undefined {
  const tooManyPixels = width * height > photoLimits.maxPixels;
  const foreign = type !== 'image/jpeg' && type !== 'image/png';
  if (!tooManyPixels && !foreign && bytes <= maxBytes) return undefined;
  return tooManyPixels ? shrink({ width, height }, photoLimits.maxPixels) : { width, height };
}

/** The largest size with the same proportions and at most `pixels`. */
export function shrink({ width, height }: Size, pixels: number): Size {
  const factor = Math.min(1, Math.sqrt(pixels / (width * height)));
  return { width: Math.max(1, Math.floor(width * factor)), height: Math.max(1, Math.floor(height * factor)) };
}

/**
 * The number of bytes for each photo of a form: small photos stay unchanged, and large ones share the rest equally.
 */
export function fairShares(sizes: readonly number[], together: number): number[] {
  const shares = sizes.map(() => 0);
  let rest = together;
  const ascending = sizes.map((bytes, index) => ({ bytes, index }));
  ascending.sort((a, b) => a.bytes - b.bytes);
  for (const [place, { bytes, index }] of ascending.entries()) {
    const share = Math.min(bytes, Math.floor(rest / (sizes.length - place)));
    shares[index] = share;
    rest -= share;
  }
  return shares;
}

/**
 * A photo that the gateway accepts: the file itself wherever possible, because redrawing loses detail; redrawn only when it
 * is too large or in a format that the browser supports and the gateway does not (HEIC, WebP). Works in browsers only.
 *
 * @returns undefined when the browser cannot open the file as an image.
 */
export async function fitPhoto(
  file: Blob,
  maxBytes: number = photoLimits.maxBytes,
): Promise<Blob | undefined> {
  const picture = await openPicture(file);
  if (picture === undefined) return undefined;
  try {
    const { width, height } = picture;
    const size = sizeToRedraw({ type: file.type, bytes: file.size, width, height }, maxBytes);
    return size === undefined ? file : await redraw(picture, size, maxBytes);
  } finally {
    picture.close();
  }
}

/**
 * Photos that the gateway accepts in one form, in the same order: each as by {@link fitPhoto}, and small enough together.
 * Undefined stands for a file that the browser cannot open as an image.
 */
export async function fitPhotos(files: readonly Blob[]): Promise<(Blob | undefined)[]> {
  const fitted: (Blob | undefined)[] = [];
  // One at a time: an open image of 50 megapixels takes 200 MB.
  for (const file of files) fitted.push(await fitPhoto(file));
  const shares = fairShares(
    fitted.map((photo) => photo?.size ?? 0),
    formLimits.maxBytes,
  );
  for (const [index, photo] of fitted.entries()) {
    const share = shares[index] ?? 0;
    if (photo !== undefined && photo.size > share) fitted[index] = await fitPhoto(photo, share);
  }
  return fitted;
}

/** Halves the pixels until the file is small enough. */
async function redraw(picture: Picture, size: Size, maxBytes: number): Promise<Blob | undefined> {
  const drawn = await drawJpeg(picture, size);
  if (drawn === undefined || drawn.size <= maxBytes || size.width * size.height <= 1) return drawn;
  return await redraw(picture, shrink(size, (size.width * size.height) / 2), maxBytes);
}
