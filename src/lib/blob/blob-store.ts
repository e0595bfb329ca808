import type { BlockBlobClient, ContainerClient, RestError } from '@azure/storage-blob';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** Blob storage refused the request or cannot be reached; the state of the blob is unknown. */
export class BlobUnavailable extends Error {
  constructor(cause: unknown) {
    super('blob storage is unavailable', { cause });
    this.name = 'BlobUnavailable';
  }
}

export interface ByteRange {
  /** First byte, from 0. */
  offset: number;
  /** How many bytes. */
  count: number;
}

export interface ListedBlob {
  name: string;
  createdAt: Date;
}

/** One container of block blobs. Every method throws {@link BlobUnavailable} when storage fails. */
export interface BlobStore {
  /**
   * Writes a new blob from the pieces in order, without joining them in memory.
   * @throws {BlobUnavailable} also when the name is taken: a blob is never overwritten.
   */
  put(name: string, pieces: readonly Uint8Array[], contentType: string): Promise<void>;
  /** The blob's bytes, or a range of them; undefined when the blob does not exist. */
  get(name: string, range?: ByteRange): Promise<Uint8Array | undefined>;
  /** Deletes the blob if it exists. */
  remove(name: string): Promise<void>;
  /** All blobs in name order, in pages of at most 1,000. */
  list(): AsyncIterable<readonly ListedBlob[]>;
}

export interface BlobStoreOptions {
  /** For Azurite, or an account key. */
  connectionString?: string | undefined;
  /** URL of an account that the app's managed identity may open; for Azure. */
  accountUrl?: string | undefined;
  container: string;
}

/** Opens an existing container: infra creates it on Azure, dev/services locally. */
export function createBlobStore(options: BlobStoreOptions): BlobStore {
  let client: Promise<ContainerClient> | undefined;
  const container = () => (client ??= connect(options));

  async function blob(name: string): Promise<BlockBlobClient> {
    return (await container()).getBlockBlobClient(name);
  }

  return {
    async put(name, pieces, contentType) {
      const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
      await orUnavailable(async () => {
        // A function, so that a retry reads the pieces from the start again.
        await (
          await blob(name)
        ).upload(() => Readable.from(pieces.map(asBuffer)), length, {
          blobHTTPHeaders: { blobContentType: contentType },
          conditions: { ifNoneMatch: '*' },
        });
      });
    },
    async get(name, range) {
      return await orUnavailable(async () => {
        try {
          const download = await (await blob(name)).download(range?.offset, range?.count);
          return await buffer(download.readableStreamBody as NodeJS.ReadableStream);
        } catch (error) {
          if (isNotFound(error)) return undefined;
          throw error;
        }
      });
    },
    async remove(name) {
      await orUnavailable(async () => (await blob(name)).deleteIfExists());
    },
    async *list() {
      const pages = (await container()).listBlobsFlat().byPage({ maxPageSize: 1000 });
      while (true) {
        const page = await orUnavailable(() => pages.next());
        if (page.done === true) return;
        yield page.value.segment.blobItems.map(({ name, properties }) => ({
          name,
          createdAt: properties.createdOn ?? properties.lastModified,
        }));
      }
    },
  };
}

/** Loads the SDK on first use: most cold starts serve other requests first. */
async function connect({
  connectionString,
  accountUrl,
  container,
}: BlobStoreOptions): Promise<ContainerClient> {
  const { BlobServiceClient } = await import('@azure/storage-blob');
  const settings = { retryOptions: { maxTries: 3, tryTimeoutInMs: 15_000, maxRetryDelayInMs: 2000 } };
  if (accountUrl === undefined) {
    const service = BlobServiceClient.fromConnectionString(connectionString ?? '', settings);
    return service.getContainerClient(container);
  }
  const { DefaultAzureCredential } = await import('@azure/identity');
  const service = new BlobServiceClient(accountUrl, new DefaultAzureCredential(), settings);
  return service.getContainerClient(container);
}

const asBuffer = (piece: Uint8Array) => Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);

async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new BlobUnavailable(error);
  }
}

function isNotFound(error: unknown): boolean {
  return (error as RestError).statusCode === 404 && (error as RestError).code !== 'ContainerNotFound';
}
