import type { BlockBlobClient, ContainerClient, RestError } from '@azure/storage-blob';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { withinMs } from '../concurrency/within-ms.ts';

/** How long, in milliseconds, one operation may take: retries, the token and the body included. */
const timeLimits = {
  put: 20_000,
  get: 20_000,
  remove: 10_000,
  /** Of one page. */
  list: 30_000,
};

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

/** One container of block blobs. Every method throws {@link BlobUnavailable} when storage fails or takes too long. */
export interface BlobStore {
  /**
   * Writes a new blob from the pieces in order, without joining them in memory.
   * @throws {BlobUnavailable} also when the name is taken: a blob is never overwritten.
   */
  put(name: string, pieces: readonly Uint8Array[], contentType: string): Promise<void>;
  /**
   * The blob's bytes, or a range of them; undefined when the blob does not exist.
   * @param endedBy ends the read earlier than its own limit.
   */
  get(name: string, range?: ByteRange, endedBy?: AbortSignal): Promise<Uint8Array | undefined>;
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
  /** For tests. */
  timeLimits?: Partial<typeof timeLimits>;
}

/** Opens an existing container: infra creates it on Azure, dev/services locally. */
export function createBlobStore(options: BlobStoreOptions): BlobStore {
  const limits = { ...timeLimits, ...options.timeLimits };
  let client: Promise<ContainerClient> | undefined;
  const container = () => (client ??= connect(options));

  async function blob(name: string): Promise<BlockBlobClient> {
    return (await container()).getBlockBlobClient(name);
  }

  return {
    async put(name, pieces, contentType) {
      const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
      await orUnavailable(limits.put, async (abortSignal) => {
        // A function, so that a retry reads the pieces from the start again.
        await (
          await blob(name)
        ).upload(() => Readable.from(pieces.map(asBuffer)), length, {
          abortSignal,
          blobHTTPHeaders: { blobContentType: contentType },
          conditions: { ifNoneMatch: '*' },
        });
      });
    },
    async get(name, range, endedBy) {
      const read = async (abortSignal: AbortSignal) => {
        try {
          const download = await (await blob(name)).download(range?.offset, range?.count, { abortSignal });
          return await buffer(download.readableStreamBody as NodeJS.ReadableStream);
        } catch (error) {
          if (isNotFound(error)) return undefined;
          throw error;
        }
      };
      return await orUnavailable(limits.get, read, endedBy);
    },
    async remove(name) {
      await orUnavailable(limits.remove, async (abortSignal) =>
        (await blob(name)).deleteIfExists({ abortSignal }),
      );
    },
    async *list() {
      let continuationToken: string | undefined;
      do {
        // A listing has one signal for all its pages, so each page is a listing of its own.
        const after = continuationToken;
        const page = await orUnavailable(limits.list, async (abortSignal) => {
          const listing = (await container()).listBlobsFlat({ abortSignal });
          const settings = { maxPageSize: 1000, ...(after !== undefined && { continuationToken: after }) };
          return await listing.byPage(settings).next();
        });
        if (page.done === true) return;
        yield page.value.segment.blobItems.map(({ name, properties }) => ({
          name,
          createdAt: properties.createdOn ?? properties.lastModified,
        }));
        continuationToken = page.value.continuationToken;
      } while (continuationToken);
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
  // `tryTimeoutInMs` is a request to the server only, which a silent one does not meet.
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

async function orUnavailable<T>(
  limitMs: number,
  work: (abortSignal: AbortSignal) => Promise<T>,
  endedBy?: AbortSignal,
): Promise<T> {
  try {
    return await withinMs(limitMs, work, endedBy);
  } catch (error) {
    throw new BlobUnavailable(error);
  }
}

function isNotFound(error: unknown): boolean {
  return (error as RestError).statusCode === 404 && (error as RestError).code !== 'ContainerNotFound';
}
