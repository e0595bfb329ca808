import type { BlobStore } from '../../../lib/blob/blob-store.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { inSubmittedCase } from './erase-cases.ts';
import type { Account } from './find-person.ts';

export type RemovableBlobs = Pick<BlobStore, 'remove'>;

const parallel = 8;

/** Removes the photos and thumbnails of an account, while rows still name them. @returns their names. */
export async function eraseBlobs(db: Db, blobs: RemovableBlobs, account: Account): Promise<string[]> {
  const names = await inTenant(db, account.tenantId, (tx) => blobsOf(tx, account.id));
  await removeBlobs(blobs, names);
  return names;
}

/** @throws {BlobUnavailable} */
export async function removeBlobs(blobs: RemovableBlobs, names: readonly string[]): Promise<void> {
  for (let at = 0; at < names.length; at += parallel)
    await Promise.all(names.slice(at, at + parallel).map((name) => blobs.remove(name)));
}

/**
 * Also those of uploads that were interrupted, not those of submitted cases. Locked: a thumbnail that is being made is not
 * missed.
 */
export async function blobsOf(tx: Tx, userId: number): Promise<string[]> {
  const images = await tx
    .selectFrom('images')
    .select(['blob_name', 'thumbnail_blob_name'])
    .where('owner_user_id', '=', userId)
    .where(({ not }) => not(inSubmittedCase))
    .forUpdate()
    .execute();
  return images.flatMap(({ blob_name: name, thumbnail_blob_name: thumbnail }) =>
    thumbnail === null ? [name] : [name, thumbnail],
  );
}
