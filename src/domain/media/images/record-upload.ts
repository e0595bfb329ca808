import type { Tx } from '../../../lib/db/connect.ts';
import type { AuditContext } from '../../../lib/audit.ts';
import type { StoredImageReply } from './image.schemas.ts';

/** Writes who stored which images, in the transaction that makes them visible. */
export async function recordUpload(
  tx: Tx,
  audit: AuditContext,
  images: readonly StoredImageReply[],
): Promise<void> {
  const uuids = [...new Set(images.map(({ uuid }) => uuid))];
  await audit.succeeded(tx, { detail: { images: uuids } });
}
