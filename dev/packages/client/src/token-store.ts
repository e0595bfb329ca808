import { del, get, set, update } from 'idb-keyval';
import type { TokenPair } from './schema.ts';

/** Where an app keeps the two tokens. They are one thing: stored, replaced and forgotten together. */
export interface TokenStore {
  load(): TokenPair | undefined | Promise<TokenPair | undefined>;
  save(tokens: TokenPair): void | Promise<void>;
  clear(): void | Promise<void>;
  /**
   * Stores `next`, or forgets the tokens where it is undefined, unless others than `used` are stored by then: a login
   * during a refresh counts. Nothing may come between the look and the change.
   * @returns whether it did.
   */
  replace(used: TokenPair, next: TokenPair | undefined): boolean | Promise<boolean>;
  /**
   * Runs `work` while nobody else who shares this store does so. A store that several tabs or processes share needs
   * it: a refresh token works once.
   */
  exclusively?<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Keeps the tokens for as long as the page or process lives. */
export function inMemory(tokens?: TokenPair) {
  let kept = tokens;
  return {
    load: () => kept,
    save: (tokens: TokenPair) => void (kept = tokens),
    clear: () => void (kept = undefined),
    replace(used: TokenPair, next: TokenPair | undefined) {
      const isCurrent = kept?.refresh_token === used.refresh_token;
      if (isCurrent) kept = next;
      return isCurrent;
    },
  } satisfies TokenStore;
}

interface Locks {
  request<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Keeps the tokens in IndexedDB, for all tabs of an origin and across reloads. Tabs take turns by Web Locks, which
 * browsers offer to pages that came over https or from localhost. Not in `localStorage`: what one tab has written there
 * may reach another only after that one's turn has come, which would then use the old refresh token again.
 */
export function inIndexedDb(key = 'dermagate.tokens') {
  return {
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
