import type { DecodeResult, ImageDecoder, ThumbnailResult } from '../../../lib/image/decode.ts';
import type { ImageFacts } from '../../../lib/image/facts.ts';
import { inspectImage } from '../../../lib/image/inspect.ts';
import { stripMetadata } from '../../../lib/image/strip-metadata.ts';
import { Problem } from '../../../contract/problem.ts';

/** Limits of one uploaded picture. */
export const imageLimits = {
  maxBytes: 15 * 1024 * 1024,
  /** Width × height in the header, checked before anything is decoded. */
  maxPixels: 50_000_000,
} as const;

/**
 * Limits of one upload. The host stores a body four to seven times in memory: sixteen forms of 32 MB at once ended an
 * instance of 2 GB.
 */
export const uploadLimits = {
  maxFiles: 10,
  maxBytes: 20 * 1024 * 1024,
} as const;

export interface InspectedImage {
  /** The picture with its metadata, without bytes after its end; a view of the upload. */
  bytes: Uint8Array;
  facts: ImageFacts;
}

export interface AcceptedImage extends InspectedImage {
  /** The picture without metadata, fit to be sent to another service; views of the upload and some new bytes. */
  pieces: readonly Uint8Array[];
}

/**
 * Accepts an upload by its bytes: a JPEG or PNG whose pixels decode.
 * @param pointer names the part in the refusal, such as `/image`.
 * @throws {Problem} `invalid_image`; `payload_too_large` for too many pixels; `rate_limited` for a caller with too many
 *   pictures waiting; `busy` when the decoder is.
 */
export async function acceptImage(
  upload: Uint8Array,
  decoder: Pick<ImageDecoder, 'check'>,
  pointer: string,
): Promise<AcceptedImage> {
  const image = inspectUpload(upload, pointer);
  await requirePixels(image, decoder, pointer);
  return withoutMetadata(image);
}

export function withoutMetadata({ bytes, facts }: InspectedImage): AcceptedImage {
  return { bytes, facts, pieces: stripMetadata(bytes, facts, { bareProfile: true }) };
}

function inspectUpload(upload: Uint8Array, pointer: string): InspectedImage {
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
  { bytes, facts }: InspectedImage,
  decoder: Pick<ImageDecoder, 'check'>,
  pointer: string,
): Promise<void> {
  const decoded = await decoder.check(bytes, facts);
  if (decoded.ok) return;
  if (decoded.reason === 'undecodable') throw invalidImage(pointer, decoded.reason, decoded.detail);
  throw decoderProblem(decoded);
}

function invalidImage(pointer: string, code: string, detail: string): Problem {
  return new Problem('invalid_image', { detail, errors: [{ pointer, code, message: detail }] });
}

/**
 * As {@link acceptImage} for several uploads: all headers are checked before the first pixel is decoded.
 * @throws {Problem} of the first that is refused, `invalid_image` naming its index.
 */
export async function acceptImages(
  uploads: readonly Uint8Array[],
  decoder: Pick<ImageDecoder, 'check'>,
): Promise<InspectedImage[]> {
  const inspected = uploads.map((upload, index) => inspectUpload(upload, `/images/${index}`));
  const accepted: InspectedImage[] = [];
  // One after another: a caller is served one at a time, and a refusal spares the rest.
  for (const [index, image] of inspected.entries()) {
    await requirePixels(image, decoder, `/images/${index}`);
    accepted.push(image);
  }
  return accepted;
}

/** A failure of the decoder that is not the picture's fault: the same picture may be sent again. */
export function decoderProblem(trouble: Extract<DecodeResult | ThumbnailResult, { ok: false }>): Problem {
  const { reason, detail } = trouble;
  if (reason === 'caller_limit') {
    return new Problem('rate_limited', { detail, headers: { 'retry-after': '1' } });
  }
  const cause = 'cause' in trouble ? trouble.cause : undefined;
  return new Problem('busy', { detail, headers: { 'retry-after': '5' }, cause });
}
