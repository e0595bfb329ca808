import { type BlobStore, createBlobStore } from '../lib/blob/blob-store.ts';

/** The container that STORAGE_… name, as for the app; empty counts as not set. */
export function openBlobs(env: NodeJS.ProcessEnv = process.env): BlobStore {
  const connectionString = env['STORAGE_CONNECTION_STRING'] || undefined;
  const accountUrl = env['STORAGE_ACCOUNT_URL'] || undefined;
  if (connectionString === undefined && accountUrl === undefined)
    throw new Error('STORAGE_ACCOUNT_URL or STORAGE_CONNECTION_STRING must be set: where the photos are.');
  return createBlobStore({ connectionString, accountUrl, container: env['STORAGE_CONTAINER'] || 'images' });
}
