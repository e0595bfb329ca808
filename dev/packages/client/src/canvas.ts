/** What a browser opens and draws. */
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

// Declared here and not taken from TypeScript's `dom`: Node compiles these sources as well, without a browser's globals.
declare const createImageBitmap: (file: Blob) => Promise<Picture>;
declare const document: { createElement(name: 'canvas'): Canvas };

const JPEG_QUALITY = 0.92;

/** The right way up; undefined when the browser cannot open the file as a picture. */
export async function openPicture(file: Blob): Promise<Picture | undefined> {
  return await createImageBitmap(file).catch(() => undefined);
}

/** @param source a picture, a canvas or a video, of which this is the frame of the moment. */
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
