import type { BlobStore } from '../../../lib/blob/blob-store.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { lockAccount } from '../../identity/users/user.queries.ts';
import { lockCases } from './account-cases.queries.ts';
import type { Account } from './person.queries.ts';
import { findUnfinishedUploads, lockBlobsOf, markPhotosDeleted } from './photos.queries.ts';

export type RemovableBlobs = Pick<BlobStore, 'remove'>;

const parallel = 8;

/** Blobs that were removed while rows still named them. */
export interface ErasedBlobs {
  names: string[];
  /** Of these, those of uploads that have not ended: a request in flight may write them yet. */
  unfinished: string[];
}

/** Removes the photos and thumbnails of an account, while rows still name them. */
export async function eraseBlobs(
  db: Db,
  blobs: RemovableBlobs,
  account: Account,
  now: Date,
): Promise<ErasedBlobs> {
  const hidden = await inTenant(db, account.tenantId, (tx) => hidePhotos(tx, account, now));
  await removeBlobs(blobs, hidden.names);
  return hidden;
}

/**
 * Account and cases are locked before the photos, as requests lock them: a request in flight that submits a photo comes first, and
 * the photo stays, or comes later and finds it deleted. No medical record names a photo that has lost its blob.
 */
async function hidePhotos(tx: Tx, account: Account, now: Date): Promise<ErasedBlobs> {
  await lockAccount(tx, account.id);
  await lockCases(tx, account);
  const names = await lockBlobsOf(tx, account.id);
  const unfinished = await findUnfinishedUploads(tx, account.id);
  await markPhotosDeleted(tx, account.id, now);
  return { names, unfinished };
}

/** @throws {BlobUnavailable} */
export async function removeBlobs(blobs: RemovableBlobs, names: readonly string[]): Promise<void> {
  for (let at = 0; at < names.length; at += parallel)
    await Promise.all(names.slice(at, at + parallel).map((name) => blobs.remove(name)));
}
