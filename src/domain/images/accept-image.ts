import type { ImageDecoder } from '../../lib/image/decode.ts';
import type { ImageFacts } from '../../lib/image/facts.ts';
import { inspectImage } from '../../lib/image/inspect.ts';
import { Problem } from '../../lib/problem.ts';
import { imageLimits } from './image-limits.ts';

export interface AcceptedImage {
  /** The picture itself, without whatever followed its end; a view of the upload. */
  bytes: Uint8Array;
  facts: ImageFacts;
}

/**
 * Takes an upload for what its bytes are: a JPEG or PNG whose pixels really decode.
 * @param pointer names the part in the refusal, such as `/image`.
 * @throws {Problem} `invalid_image`; `payload_too_large` for too many pixels; `busy` when the decoder is.
 */
export async function acceptImage(
  upload: Uint8Array,
  decoder: ImageDecoder,
  pointer: string,
): Promise<AcceptedImage> {
  const image = inspectUpload(upload, pointer);
  await requirePixels(image, decoder, pointer);
  return image;
}

function inspectUpload(upload: Uint8Array, pointer: string): AcceptedImage {
  const facts = inspectImage(upload);
  if (!facts.ok) throw invalidImage(pointer, facts.reason, facts.detail);
  if (facts.widthPx * facts.heightPx > imageLimits.maxPixels) {
    throw new Problem('payload_too_large', {
      detail: `An image may have at most ${imageLimits.maxPixels / 1_000_000} megapixels.`,
    });
  }
  return { bytes: upload.subarray(0, facts.endOffset), facts };
}

async function requirePixels(
  { bytes, facts }: AcceptedImage,
  decoder: ImageDecoder,
  pointer: string,
): Promise<void> {
  const decoded = await decoder.check(bytes, facts);
  if (decoded.ok) return;
  if (decoded.reason === 'undecodable') throw invalidImage(pointer, decoded.reason, decoded.detail);
  const cause = 'cause' in decoded ? decoded.cause : undefined;
  throw new Problem('busy', { detail: decoded.detail, headers: { 'retry-after': '5' }, cause });
}

function invalidImage(pointer: string, code: string, detail: string): Problem {
  return new Problem('invalid_image', { detail, errors: [{ pointer, code, message: detail }] });
}

/**
 * As {@link acceptImage} for several uploads: all headers are judged before the first pixel is decoded.
 * @throws {Problem} of the first that is refused, `invalid_image` naming its place.
 */
export async function acceptImages(
  uploads: readonly Uint8Array[],
  decoder: ImageDecoder,
): Promise<AcceptedImage[]> {
  const inspected = uploads.map((upload, index) => inspectUpload(upload, `/images/${index}`));
  const accepted: AcceptedImage[] = [];
  // One after another: the decoder has one thread, and a refusal spares the rest.
  for (const [index, image] of inspected.entries()) {
    await requirePixels(image, decoder, `/images/${index}`);
    accepted.push(image);
  }
  return accepted;
}
