import type { AccountActor } from '../../../contract/actor.ts';
import { Problem, type ProblemCode } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { inspectImage } from '../../../lib/image/inspect.ts';
import { decoderProblem } from './accept-image.ts';
import { newBlobName } from './blob-name.ts';
import { claimThumbnail, type StoredImage } from './image.queries.ts';
import type { ImageVariant } from './image.schemas.ts';
import { type NamedImage, readImageAudited } from './read-image-audited.ts';

/** Longest side of a thumbnail in pixels. */
const thumbnailSide = 512;

/** An image that the actor may see, before its bytes are read. */
export interface ReadableImage {
  /** Changes with the bytes. */
  version: string;
  contentType: string;
  fileName: string;
  /** Undefined where only the whole can be read, because its size is not known before. */
  sizeBytes: number | undefined;
  /** @throws {Problem} `not_found` when the bytes are gone, `rate_limited`, `busy`; {BlobUnavailable} */
  read(range?: { offset: number; count: number }): Promise<Uint8Array>;
}

/**
 * A stored image or its thumbnail. A reader other than its owner is written to the event log, even if the bytes are
 * then not read.
 * @param missing what is answered for an image that does not exist for this actor; `not_found` where absent.
 * @throws {Problem} that one
 */
export async function readImage(
  context: Context,
  actor: AccountActor,
  { variant, ...named }: NamedImage & { variant: ImageVariant },
  missing?: ProblemCode,
): Promise<ReadableImage> {
  const image = await readImageAudited(context, actor, named, missing);
  const hash = image.sha256.toString('hex');
  if (variant === 'thumbnail') {
    return {
      version: `${hash}-${thumbnailSide}`,
      contentType: 'image/jpeg',
      fileName: `${image.uuid}-thumbnail.jpg`,
      sizeBytes: undefined,
      read: () => readThumbnail(context, actor, image),
    };
  }
  return {
    version: hash,
    contentType: image.content_type,
    fileName: image.name,
    sizeBytes: image.size_bytes,
    async read(range) {
      const bytes = await context.blobs.get(image.blob_name, range);
      if (bytes === undefined) throw new Problem('not_found');
      return bytes;
    },
  };
}

/**
 * The thumbnail of an image: made at the first request, and stored.
 * @throws {Problem} `not_found` when the image's blob is gone, `rate_limited`, `busy`; {BlobUnavailable}
 */
async function readThumbnail(
  context: Context,
  actor: { tenantId: number },
  image: StoredImage,
): Promise<Uint8Array> {
  const { blobs, images } = context;
  const name = image.thumbnail_blob_name;
  const stored = name === null ? undefined : await blobs.get(name);
  if (stored !== undefined) return stored;
  const original = await blobs.get(image.blob_name);
  if (original === undefined) throw new Problem('not_found');
  const facts = inspectImage(original);
  if (!facts.ok) throw new Error(`a stored image is ${facts.reason}`);
  const made = await images.thumbnail(original, facts, thumbnailSide);
  if (!made.ok) throw decoderProblem(made);
  await storeThumbnail(context, actor, image, made.jpeg);
  return made.jpeg;
}

/** A thumbnail that cannot be stored is still answered: the next reader makes it again. */
async function storeThumbnail(
  { db, blobs, log }: Context,
  { tenantId }: { tenantId: number },
  image: StoredImage,
  jpeg: Uint8Array,
): Promise<void> {
  // A row that names a vanished blob gets it back under its name; otherwise the first name to be claimed counts.
  const name = image.thumbnail_blob_name ?? newBlobName();
  try {
    await blobs.put(name, [jpeg], 'image/jpeg');
    const claimed = await inTenant(db, tenantId, (tx) => claimThumbnail(tx, image.uuid, name));
    if (claimed !== name) await blobs.remove(name);
  } catch {
    log.warn('thumbnail_not_stored', { image: image.uuid });
  }
}
