import sharp from 'sharp';

/** RGBA, 8 bits each, row by row. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/** Warnings of libjpeg and libpng that mean lost pixels, which the decoder fills with grey. */
const damage = /premature end|bad huffman code|instead of rst|not enough image data|incorrect/i;

// One thread for each image; no image is decoded twice.
sharp.concurrency(1);
sharp.cache(false);

/** Decodes every pixel and applies the EXIF orientation of a JPEG. Undefined when the bytes are damaged. */
export async function decodeImage(bytes: Uint8Array): Promise<Pixels | undefined> {
  const image = sharp(bytes, { failOn: 'truncated', sequentialRead: true, ignoreIcc: true });
  const warnings: string[] = [];
  image.on('warning', (warning: string) => warnings.push(warning));
  try {
    const upright = image.autoOrient().toColourspace('srgb').ensureAlpha().raw();
    const { data, info } = await upright.toBuffer({ resolveWithObject: true });
    if (warnings.some((warning) => damage.test(warning))) return undefined;
    const view = new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength);
    return { width: info.width, height: info.height, data: view };
  } catch {
    return undefined;
  }
}
