import type { TokenPair } from './schema.ts';
import type { TokenStore } from './token-store.ts';

/**
 * The same store, except that a new pair survives in memory when it cannot be stored, such as on a full disk: the gateway has
 * used up the pair before, so that dropping the new one would end the session. Each `load` tries to store it again. Until then
 * another tab or a reload finds the pair before.
 */
export function rememberUnstored(tokens: TokenStore): TokenStore {
  /** `stored` is the pair that `next` could not replace. */
  let unstored: { stored: TokenPair; next: TokenPair } | undefined;

  async function storeAgain(): Promise<void> {
    const given = unstored;
    if (given === undefined) return;
    try {
      // Where it replaces nothing, a login, a logout or another tab was faster.
      await tokens.replace(given.stored, given.next);
      if (unstored === given) unstored = undefined;
    } catch {
      // There is still no space.
    }
  }

  return {
    async load() {
      // At once where nothing is to be stored: the store may answer for the user of this moment only.
      if (unstored !== undefined) await storeAgain();
      const stored = await tokens.load();
      return unstored !== undefined && isSame(stored, unstored.stored) ? unstored.next : stored;
    },
    async save(pair) {
      await tokens.save(pair);
      unstored = undefined;
    },
    async clear() {
      await tokens.clear();
      unstored = undefined;
    },
    async replace(used, next) {
      const stored = unstored !== undefined && isSame(used, unstored.next) ? unstored.stored : used;
      try {
        const isReplaced = await tokens.replace(stored, next);
        unstored = undefined;
        return isReplaced;
      } catch (reason) {
        if (next === undefined) throw reason;
        unstored = { stored, next };
        return isSame(await tokens.load(), stored);
      }
    },
    exclusively: (work) => tokens.exclusively?.(work) ?? work(),
  };
}

const isSame = (one: TokenPair | undefined, other: TokenPair): boolean =>
  one?.refresh_token === other.refresh_token;
