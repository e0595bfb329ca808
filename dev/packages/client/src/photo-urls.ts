import type { CallOptions } from './call-options.ts';
import type { Dermagate } from './create-dermagate.ts';
import type { NamedCalls } from './named-calls.ts';

/** A photo for `<img src>`. */
export interface PhotoUrl {
  /** An object URL. */
  readonly url: string;
  /** The photo no longer shows here: once it shows nowhere, its URL is revoked. */
  release(): void;
}

export interface PhotoOptions extends Pick<CallOptions, 'signal'> {
  /** `thumbnail`: an upright JPEG, its longest side 512 pixels at most. By default the original. */
  variant?: 'original' | 'thumbnail' | undefined;
}

export interface PhotoUrls {
  /**
   * Loads a photo with the session, which `<img src>` cannot send. Several that show the same photo share one load.
   * @param path as replies name it: `/api/common/images/…`, `/api/v1/backoffice/images/…`, or what comes below `/api/v1/images/`.
   * @throws {DermagateError}
   */
  open(path: string, options?: PhotoOptions): Promise<PhotoUrl>;
  /** Revokes all URLs; a logout, the end of the session and another user do so by themselves. */
  clear(): void;
}

interface Entry {
  /** Those that show the photo or wait for it. */
  users: number;
  readonly url: Promise<string>;
  readonly loading: AbortController;
}

/** Object URLs of photos, shared by all parts of a page. Nothing of one user is shown to the next. */
export function createPhotoUrls({ transport, session }: Pick<Dermagate, 'transport' | 'session'>): PhotoUrls {
  const entries = new Map<string, Entry>();

  function load(address: string): Entry {
    const loading = new AbortController();
    const url = fetchPhoto(transport.named, address, loading.signal).then((photo) => {
      loading.signal.throwIfAborted();
      return URL.createObjectURL(photo);
    });
    const entry = { users: 0, url, loading };
    // So that the next to open it tries again.
    url.catch(() => forget(address, entry));
    entries.set(address, entry);
    return entry;
  }

  function forget(address: string, entry: Entry): void {
    if (entries.get(address) === entry) entries.delete(address);
  }

  function discard(address: string, entry: Entry): void {
    forget(address, entry);
    entry.loading.abort();
    entry.url.then(
      (url) => URL.revokeObjectURL(url),
      () => {},
    );
  }

  function clear(): void {
    for (const [address, entry] of entries) discard(address, entry);
  }

  session.onChange((change) => {
    if (change !== 'signed-in') clear();
  });

  return {
    clear,
    async open(path, { variant = 'original', signal } = {}) {
      signal?.throwIfAborted();
      const address = addressOf(path, variant);
      const entry = entries.get(address) ?? load(address);
      entry.users += 1;
      let isReleased = false;
      const release = () => {
        if (isReleased) return;
        isReleased = true;
        entry.users -= 1;
        if (entry.users === 0) discard(address, entry);
      };
      try {
        return { url: await unlessAborted(entry.url, signal), release };
      } catch (reason) {
        release();
        throw reason;
      }
    },
  };
}

/** All routes of photos answer alike, so that one call serves them. */
const fetchPhoto = (named: NamedCalls, address: string, signal: AbortSignal) =>
  named.get(
    '/api/common/images/{uuid}',
    {
      params: { path: { uuid: address } },
      // It gets the path behind the address of the gateway.
      pathSerializer: (template) => template.replace('/api/common/images/{uuid}', address),
      parseAs: 'blob',
    },
    { signal },
  );

function addressOf(path: string, variant: 'original' | 'thumbnail'): string {
  const address = path.startsWith('/') ? path : `/api/v1/images/${path}`;
  if (variant === 'original') return address;
  // These have no query, but a path of their own.
  if (address.startsWith('/api/v1/images/')) return address.replace(/\.\w+$/, '/thumbnail.jpg');
  return `${address}?variant=thumbnail`;
}

/** An abort ends the wait of one caller; the load continues for the others. */
function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
