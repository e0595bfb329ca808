import sharp from 'sharp';
import { type DecodeJob, type PixelCheck, type Thumbnail, undecodable } from './decode-job.ts';

// One picture at a time, and none twice: threads and caches of libvips would only hold memory.
sharp.concurrency(1);
sharp.cache(false);
// Of the many formats that libvips reads, two are expected here, and the others are attack surface.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });

/**
 * Warnings of libjpeg (jerror.h) and libpng (pngrutil.c) that mean lost pixels, filled with grey or with what was left
 * from before, or data that belong to no pixel. The others are harmless, and real cameras cause them: extraneous bytes
 * after a scan, an unknown JFIF revision, an unknown Adobe transform, a sequential scan with progressive parameters.
 */
const DAMAGE = {
  'image/jpeg': /premature end|bad huffman code|instead of rst/i,
  'image/png': /too much image data|extra compressed data|not enough image data|adaptive filter|incorrect/i,
} as const;

const QUALITY = 80;

interface Outcome<Result> {
  result: Result;
  /** The decoder stopped in the middle of the picture. */
  gaveUp: boolean;
}

const dataDamaged = {
  'image/jpeg': 'The picture data of the JPEG are damaged or incomplete.',
  'image/png': 'The picture data of the PNG are damaged, or not what its header says.',
} as const;

/**
 * Decodes all pixels of a picture that `inspectImage` has accepted. Found: whatever libjpeg or libpng cannot decode,
 * picture data that end early, hold impossible codes or hold more than the picture, and wrong checksums of a PNG.
 * Not to be found in a format without checksums: damage that still reads as some picture (of single flipped bits two
 * thirds to nine tenths), and a progressive JPEG without its last refinements.
 *
 * Memory: one byte a pixel; a progressive JPEG is held whole with 3 (4:2:0) to 6 (4:4:4) more, an interlaced PNG
 * with up to 8 more.
 * Throws when it is not the picture's fault, such as a lack of memory.
 */
export async function checkPixels(job: DecodeJob): Promise<Outcome<PixelCheck>> {
  const { picture, warnings } = open(job, { ignoreIcc: true });
  // One channel is enough to have all of them decoded.
  const decoded = await finish(() => picture.extractChannel(0).raw().toBuffer({ resolveWithObject: true }));
  const gaveUp = decoded === undefined;
  if (gaveUp || warnings.some((warning) => DAMAGE[job.type].test(warning))) {
    return { result: undecodable(dataDamaged[job.type]), gaveUp };
  }
  const { width: widthPx, height: heightPx } = decoded.info;
  if (widthPx !== job.widthPx || heightPx !== job.heightPx) {
    return { result: undecodable('The picture decodes to another size than its header says.'), gaveUp };
  }
  return { result: { ok: true, widthPx, heightPx }, gaveUp };
}

/**
 * A small upright JPEG in sRGB of a picture that `inspectImage` has accepted: on white where it is transparent,
 * turned as its orientation says, without any metadata.
 *
 * @param side longest side at most, in pixels; smaller pictures are not enlarged.
 */
export async function makeThumbnail(job: DecodeJob, side: number): Promise<Outcome<Thumbnail>> {
  const { picture } = open(job, {});
  const made = await finish(() =>
    picture
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: QUALITY })
      .toBuffer({ resolveWithObject: true }),
  );
  if (made === undefined) return { result: undecodable('The picture cannot be decoded.'), gaveUp: true };
  const { width: widthPx, height: heightPx } = made.info;
  return { result: { ok: true, jpeg: made.data, widthPx, heightPx }, gaveUp: false };
}

function open(job: DecodeJob, { ignoreIcc = false }) {
  const picture = sharp(Buffer.concat(job.pieces), {
    failOn: 'truncated',
    // The header was judged; a decoder that reads another size from it is not followed.
    limitInputPixels: job.widthPx * job.heightPx,
    sequentialRead: true,
    ignoreIcc,
  });
  const warnings: string[] = [];
  picture.on('warning', (warning: string) => warnings.push(warning));
  return { picture, warnings };
}

/** Undefined when the picture cannot be decoded. */
async function finish<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && /memory|allocat/i.test(error.message)) throw error;
    return undefined;
  }
}
