import type { TokenPair } from './schema.ts';

/** Where an app keeps the two tokens. They are one thing: stored, replaced and forgotten together. */
export interface TokenStore {
  load(): TokenPair | undefined | Promise<TokenPair | undefined>;
  save(tokens: TokenPair): void | Promise<void>;
  clear(): void | Promise<void>;
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
  } satisfies TokenStore;
}

/** What `localStorage` and `sessionStorage` are. */
export interface WebStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

interface Locks {
  request<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Keeps the tokens in Web Storage, such as `localStorage`, for all tabs of an origin. Tabs take turns by Web Locks,
 * which browsers offer to pages that came over https or from localhost.
 */
export function inWebStorage(storage: WebStorage, key = 'dermagate.tokens') {
  return {
    load: () => parseTokens(storage.getItem(key)),
    save: (tokens: TokenPair) => storage.setItem(key, JSON.stringify(tokens)),
    clear: () => storage.removeItem(key),
    exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
      const { navigator } = globalThis as { navigator?: { locks?: Locks } };
      return navigator?.locks?.request(key, work) ?? work();
    },
  } satisfies TokenStore;
}

/** Undefined for whatever is no pair: an entry that somebody else wrote, or an older version. */
function parseTokens(text: string | null): TokenPair | undefined {
  try {
    const tokens: unknown = JSON.parse(text ?? 'null');
    return isTokenPair(tokens) ? tokens : undefined;
  } catch {
    return undefined;
  }
}

export function isTokenPair(value: unknown): value is TokenPair {
  const { access_token: access, refresh_token: refresh } = (value ?? {}) as Partial<TokenPair>;
  return typeof access === 'string' && typeof refresh === 'string';
}
