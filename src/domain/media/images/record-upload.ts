import type { Tx } from '../../../lib/db/connect.ts';
import { type Actor, recordSuccess } from '../../platform/events/record-event.ts';
import type { StoredImageReply } from './image.schemas.ts';

/** Writes who stored which images, in the transaction that makes them visible. */
export async function recordUpload(tx: Tx, actor: Actor, images: readonly StoredImageReply[]): Promise<void> {
  const uuids = [...new Set(images.map(({ uuid }) => uuid))];
  await recordSuccess(tx, actor, {
    category: 'access',
    action: 'image_upload',
    detail: { images: uuids },
  });
}
