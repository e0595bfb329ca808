import type { AccountActor } from '../../../contract/actor.ts';
import { Problem, type ProblemCode } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { ImageVariant } from './image.schemas.ts';
import { type NamedImage, readImageAudited } from './read-image-audited.ts';
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
