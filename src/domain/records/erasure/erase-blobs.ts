import type { BlobStore } from '../../../lib/blob/blob-store.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { lockAccount } from '../../identity/users/user.queries.ts';
import { inSubmittedCase } from './erase-cases.ts';
import type { Account } from './find-person.ts';

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
async function hidePhotos(tx: Tx, { id, tenantId }: Account, now: Date): Promise<ErasedBlobs> {
  await lockAccount(tx, id);
  await tx
    .selectFrom('request_records')
    .select('uuid')
    .where('tenant_id', '=', tenantId)
    .where('account_user_id', '=', id)
    .orderBy('uuid')
    .forUpdate()
    .execute();
  const names = await blobsOf(tx, id);
  const unfinished = await tx
    .selectFrom('images')
    .select('blob_name')
    .where('owner_user_id', '=', id)
    .where('state', '=', 'pending')
    .execute();
  await tx
    .updateTable('images')
    .set({ deleted_at: now })
    .where('owner_user_id', '=', id)
    .where('deleted_at', 'is', null)
    .where(({ not }) => not(inSubmittedCase))
    .execute();
  return { names, unfinished: unfinished.map((image) => image.blob_name) };
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
