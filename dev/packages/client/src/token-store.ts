import { del, get, set, update } from 'idb-keyval';
import type { TokenPair } from './schema.ts';

/** Storage of the two tokens. They form one unit: stored, replaced and removed together. */
export interface TokenStore {
  load(): TokenPair | undefined | Promise<TokenPair | undefined>;
  save(tokens: TokenPair): void | Promise<void>;
  clear(): void | Promise<void>;
  /**
   * Stores `next`, or removes the tokens where it is undefined, if `used` is still the stored pair: a login during a
   * refresh takes precedence. Comparing and replacing must be atomic.
   * @returns whether it replaced the pair.
   */
  replace(used: TokenPair, next: TokenPair | undefined): boolean | Promise<boolean>;
  /**
   * Runs `work` while no other user of this store does. A store shared by several tabs or processes needs it, because a
   * refresh token works once.
   */
  exclusively?<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Name of the BroadcastChannel by which the tabs that share this store learn of each other's logins and logouts. */
  readonly channel?: string;
}

/** Stores the tokens for the lifetime of the page or process. */
export function inMemory(tokens?: TokenPair) {
  let stored = tokens;
  return {
    load: () => stored,
    save: (tokens: TokenPair) => void (stored = tokens),
    clear: () => void (stored = undefined),
    replace(used: TokenPair, next: TokenPair | undefined) {
      const isCurrent = stored?.refresh_token === used.refresh_token;
      if (isCurrent) stored = next;
      return isCurrent;
    },
  } satisfies TokenStore;
}

interface Locks {
  request<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Stores the tokens in IndexedDB, for all tabs of an origin and across reloads. Web Locks, which browsers offer on https
 * and localhost, let one tab at a time refresh. Not in `localStorage`: a write by one tab may reach another only after that
 * tab holds the lock, which would then reuse the old refresh token.
 */
export function inIndexedDb(key = 'dermagate.tokens') {
  return {
    channel: key,
    async load() {
      const entry: unknown = await get(key);
      return isTokenPair(entry) ? entry : undefined;
    },
    save: (tokens: TokenPair) => set(key, tokens),
    clear: () => del(key),
    async replace(used: TokenPair, next: TokenPair | undefined) {
      let isCurrent = false;
      await update(key, (entry: unknown) => {
        isCurrent = isTokenPair(entry) && entry.refresh_token === used.refresh_token;
        return isCurrent ? next : entry;
      });
      return isCurrent;
    },
    exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
      const { locks } = navigator as { locks?: Locks };
      return locks?.request(key, work) ?? work();
    },
  } satisfies TokenStore;
}

export function isTokenPair(value: unknown): value is TokenPair {
  const { access_token: access, refresh_token: refresh } = (value ?? {}) as Partial<TokenPair>;
  return typeof access === 'string' && typeof refresh === 'string';
}
