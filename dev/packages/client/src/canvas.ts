/** An image that a browser can open and draw. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  close(): void;
}

interface Canvas {
  width: number;
  height: number;
  getContext(kind: '2d'): {
    drawImage(source: object, x: number, y: number, width: number, height: number): void;
  } | null;
  toBlob(done: (blob: Blob | null) => void, type: string, quality: number): void;
}

// Declared here rather than by TypeScript's `dom` library: Node projects compile these sources without browser globals.
declare const createImageBitmap: (file: Blob) => Promise<Picture>;
declare const document: { createElement(name: 'canvas'): Canvas };

const JPEG_QUALITY = 0.92;

/** Opened in its EXIF orientation; undefined when the browser cannot open the file as an image. */
export async function openPicture(file: Blob): Promise<Picture | undefined> {
  return await createImageBitmap(file).catch(() => undefined);
}

/** @param source a picture, a canvas, or a video, of which the current frame is drawn. */
export function drawJpeg(
  source: object,
  { width, height }: { width: number; height: number },
): Promise<Blob | undefined> {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.drawImage(source, 0, 0, width, height);
  return new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/jpeg', JPEG_QUALITY);
  });
}
