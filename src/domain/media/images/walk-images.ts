import type { BlobStore, ListedBlob } from '../../../lib/blob/blob-store.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { type KnownBlob, listKnownBlobs } from './known-blob.queries.ts';

/** The size of a page of the container's list: memory holds one page of each side. */
const pageSize = 1000;
/** Our names are hexadecimal, which every collation orders alike; the order of other names is unknown. */
export const ourName = /^[0-9a-f]+$/;

/** A row and the blob that it names, or one of them without the other. */
export type Pair =
  | { row: KnownBlob; blob: ListedBlob }
  | { row: KnownBlob; blob: undefined }
  | { row: undefined; blob: ListedBlob };

/**
 * Walks the rows of all tenants and the blobs of the container side by side, both in the order of their names. Rows and
 * blobs may change meanwhile, even those already visited.
 *
 * @throws {BlobUnavailable} and database errors.
 */
export async function* walkImages(db: Db, blobs: Pick<BlobStore, 'list'>): AsyncGenerator<Pair, undefined> {
  const rows = knownBlobs(db);
  let row = await rows.next();
  for await (const page of blobs.list()) {
    for (const blob of page) {
      for (; row.done !== true && isBefore(row.value, blob); row = await rows.next())
        yield { row: row.value, blob: undefined };
      if (row.done === true || row.value.blob_name !== blob.name) {
        yield { row: undefined, blob };
      } else {
        yield { row: row.value, blob };
        row = await rows.next();
      }
    }
  }
  for (; row.done !== true; row = await rows.next()) yield { row: row.value, blob: undefined };
}

const isBefore = (row: KnownBlob, { name }: ListedBlob) => ourName.test(name) && row.blob_name < name;

async function* knownBlobs(db: Db): AsyncGenerator<KnownBlob, undefined> {
  let page: KnownBlob[];
  let after = '';
  do {
    page = await listKnownBlobs(db, after, pageSize);
    yield* page;
    after = page.at(-1)?.blob_name ?? after;
  } while (page.length === pageSize);
}
