import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/context.ts';
import type { StoredImage } from './image.queries.ts';
import type { ImageVariant } from './image.schemas.ts';
import { readImageAudited } from './read-image-audited.ts';
import { readThumbnail, thumbnailSide } from './read-thumbnail.ts';

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
 * @throws {Problem} `not_found`
 */
export async function readImage(
  context: Context,
  actor: AccountActor,
  { uuid, variant }: { uuid: string; variant: ImageVariant },
): Promise<ReadableImage> {
  return readable(context, actor, await readImageAudited(context, actor, uuid), variant);
}

/** @param image that the actor may see. */
export function readable(
  context: Context,
  actor: AccountActor,
  image: StoredImage,
  variant: ImageVariant,
): ReadableImage {
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
