import { photoLimits, shrink, type Size, sizeToRedraw } from './fit-photo.ts';

const JPEG_QUALITY = 0.92;

/**
 * A photo that the gateway takes: the file itself wherever possible, because every new drawing loses detail; drawn
 * again only when it is too large or of a format that the browser knows and the gateway does not (HEIC, WebP).
 *
 * @returns undefined when the browser cannot open the file as a picture.
 */
export async function preparePhoto(file: Blob): Promise<Blob | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (picture === undefined) return undefined;
  try {
    const { width, height } = picture;
    const size = sizeToRedraw({ type: file.type, bytes: file.size, width, height });
    return size === undefined ? file : await redraw(picture, size);
  } finally {
    picture.close();
  }
}

/** Halves the pixels until the file is small enough. */
async function redraw(picture: ImageBitmap, size: Size): Promise<Blob | undefined> {
  const drawn = await drawJpeg(picture, size);
  if (drawn === undefined || drawn.size <= photoLimits.maxBytes) return drawn;
  return await redraw(picture, shrink(size, (size.width * size.height) / 2));
}

/** The picture of this moment, at the camera's own resolution. */
export async function captureFrame(video: HTMLVideoElement): Promise<Blob | undefined> {
  return await drawJpeg(video, { width: video.videoWidth, height: video.videoHeight });
}

function drawJpeg(source: CanvasImageSource, { width, height }: Size): Promise<Blob | undefined> {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.drawImage(source, 0, 0, width, height);
  return new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/jpeg', JPEG_QUALITY);
  });
}
