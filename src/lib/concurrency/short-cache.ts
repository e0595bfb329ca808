import { LRUCache } from 'lru-cache';

/** Remembers what was read for a short time. Callers that ask at once share one read; a failed one is not remembered. */
export interface ShortCache<Value> {
  get(key: string, now: Date, read: () => Promise<Value>): Promise<Value>;
}

/**
 * @param forMs how old a value may be.
 * @param max how many values are remembered; the least recently used one is forgotten first.
 */
export function createShortCache<Value>({ forMs, max }: { forMs: number; max: number }): ShortCache<Value> {
  const entries = new LRUCache<string, { readAt: number; value: Promise<Value> }>({ max });
  return {
    async get(key, now, read) {
      const known = entries.get(key);
      // A clock that is set back must not make a value last.
      if (known !== undefined && Math.abs(now.getTime() - known.readAt) < forMs) return await known.value;
      const entry = { readAt: now.getTime(), value: read() };
      entries.set(key, entry);
      try {
        return await entry.value;
      } catch (error) {
        if (entries.peek(key) === entry) entries.delete(key);
        throw error;
      }
    },
  };
}
