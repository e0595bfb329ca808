import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { ImageVariant } from '../../media/images/image.schemas.ts';
import { type ReadableImage, readImage } from '../../media/images/read-image.ts';
import { imageUuidIn } from './case-photos.queries.ts';

const thumbnail = /^([^/]+)\/thumbnail\.jpg$/;

/**
 * A photo by its path as cases name it: for its owner, and for staff who may see a case that it is in. A reader other than its
 * owner is written to the event log.
 * @param path `<uuid>.jpg`, `<uuid>.png` or `<uuid>/thumbnail.jpg`
 * @throws {Problem} `image_not_found`
 */
export async function readPhoto(context: Context, actor: AccountActor, path: string): Promise<ReadableImage> {
  const ofThumbnail = thumbnail.exec(path)?.[1];
  const uuid = imageUuidIn(ofThumbnail ?? path);
  if (uuid === undefined || (ofThumbnail ?? uuid) !== uuid) throw new Problem('image_not_found');
  const image =
    ofThumbnail === undefined
      ? ({ uuid, name: path, variant: 'original' } as const)
      : ({ uuid, variant: 'thumbnail' } as const);
  return await readImage(context, actor, image, 'image_not_found');
}

/**
 * As {@link readPhoto}, by its UUID or its name.
 * @throws {Problem} `image_not_found`
 */
export async function readNamedPhoto(
  context: Context,
  actor: AccountActor,
  named: string,
  variant: ImageVariant,
): Promise<ReadableImage> {
  const uuid = imageUuidIn(named);
  if (uuid === undefined) throw new Problem('image_not_found');
  const image = { uuid, variant, ...(named.includes('.') && { name: named }) };
  return await readImage(context, actor, image, 'image_not_found');
}
