import sharp from 'sharp';
import { type DecodeJob, type PixelCheck, type Thumbnail, undecodable } from './decode-job.ts';

// A process decodes one picture at a time and no picture twice: threads and caches of libvips would only use memory.
sharp.concurrency(1);
sharp.cache(false);
// libvips reads many formats; all but the two expected ones would only be attack surface.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });

/**
 * Warnings of libjpeg (jerror.h) and libpng (pngrutil.c) that mean lost pixels, which the decoder fills with grey or with
 * old data, or data that belong to no pixel. Other warnings are harmless and occur with real cameras: extraneous bytes
 * after a scan, an unknown JFIF revision, an unknown Adobe transform, a sequential scan with progressive parameters.
 */
const DAMAGE = {
  'image/jpeg': /premature end|bad huffman code|instead of rst/i,
  'image/png': /too much image data|extra compressed data|not enough image data|adaptive filter|incorrect/i,
} as const;

const QUALITY = 80;

interface Outcome<Result> {
  result: Result;
  /** The decoder aborted in the middle of the picture. */
  aborted: boolean;
}

const dataDamaged = {
  'image/jpeg': 'The picture data of the JPEG are damaged or incomplete.',
  'image/png': 'The picture data of the PNG are damaged or do not match its header.',
} as const;

/**
 * Decodes all pixels of a picture that `inspectImage` accepted. Detects everything that libjpeg or libpng cannot decode,
 * picture data that end early, contain impossible codes or more than the picture, and wrong checksums of a PNG. Cannot
 * detect, in a format without checksums, damage that still decodes (two thirds to nine tenths of single flipped bits), or
 * a progressive JPEG without its last refinements.
 *
 * Memory: one byte per pixel; a progressive JPEG needs 3 (4:2:0) to 6 (4:4:4) more, an interlaced PNG up to 8 more.
 * @throws when the picture is not the cause, such as out of memory.
 */
export async function checkPixels(job: DecodeJob, bytes: Uint8Array): Promise<Outcome<PixelCheck>> {
  const { picture, warnings } = open(job, bytes, { ignoreIcc: true });
  // Extracting one channel decodes all of them.
  const decoded = await finish(() => picture.extractChannel(0).raw().toBuffer({ resolveWithObject: true }));
  const aborted = decoded === undefined;
  if (aborted || warnings.some((warning) => DAMAGE[job.type].test(warning))) {
    return { result: undecodable(dataDamaged[job.type]), aborted };
  }
  const { width: widthPx, height: heightPx } = decoded.info;
  if (widthPx !== job.widthPx || heightPx !== job.heightPx) {
    return {
      result: undecodable('The picture decodes to a different size than its header declares.'),
      aborted,
    };
  }
  return { result: { ok: true, widthPx, heightPx }, aborted };
}

/**
 * A small upright JPEG in sRGB of a picture that `inspectImage` accepted: rotated by its orientation, transparency on
 * white, without metadata.
 *
 * @param side maximum length of the longest side in pixels; smaller pictures are not enlarged.
 */
export async function makeThumbnail(
  job: DecodeJob,
  bytes: Uint8Array,
  side: number,
): Promise<Outcome<Thumbnail>> {
  const { picture } = open(job, bytes, {});
  const made = await finish(() =>
    picture
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: QUALITY })
      .toBuffer({ resolveWithObject: true }),
  );
  if (made === undefined) return { result: undecodable('The picture cannot be decoded.'), aborted: true };
  const { width: widthPx, height: heightPx } = made.info;
  return { result: { ok: true, jpeg: made.data, widthPx, heightPx }, aborted: false };
}

function open(job: DecodeJob, bytes: Uint8Array, { ignoreIcc = false }) {
  const picture = sharp(bytes, {
    failOn: 'truncated',
    // Our checks used the header's size; a decoder that reads a larger one must stop.
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
