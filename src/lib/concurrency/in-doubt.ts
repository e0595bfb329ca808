import { LRUCache } from 'lru-cache';

export interface InDoubtOptions<Of, Act> {
  keyOf: (act: Act) => string;
  /** Makes the outcome of acts certain. Called again after an error, and again for acts that are settled already. */
  settle: (of: Of, acts: readonly Act[]) => Promise<void>;
}

/** Acts that are remembered at most: those before them stay in doubt. */
const atMost = 10_000;
/** Acts in one call of `settle`. */
const together = 100;
const firstPauseMs = 500;
const longestPauseMs = 30_000;

/**
 * Acts of which the reply never came, so that no one knows whether they have happened. They are settled as soon as that
 * works, and before anything that depends on them.
 */
export function inDoubt<Of extends object, Act>({ keyOf, settle }: InDoubtOptions<Of, Act>) {
  const doubts = new WeakMap<Of, LRUCache<string, readonly Act[]>>();

  async function settleSome(of: Of, pending: LRUCache<string, readonly Act[]>, keys: readonly string[]) {
    const known = new Map(keys.map((key) => [key, pending.peek(key) ?? []]));
    await settle(of, [...known.values()].flat());
    // One that has come meanwhile is not settled yet.
    for (const [key, acts] of known) if (pending.peek(key) === acts) pending.delete(key);
  }

  async function settleAll(of: Of, pending: LRUCache<string, readonly Act[]>): Promise<void> {
    for (let pauseMs = firstPauseMs; pending.size > 0; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      await new Promise((resolve) => void setTimeout(resolve, pauseMs).unref());
      try {
        while (pending.size > 0) await settleSome(of, pending, [...pending.rkeys()].slice(0, together));
      } catch {
        // A caller that repeats one of them meanwhile gets the error.
      }
    }
    doubts.delete(of);
  }

  return {
    /** Remembers acts whose reply never came. */
    add(of: Of, acts: readonly Act[]): void {
      const known = doubts.get(of);
      const pending = known ?? new LRUCache({ max: atMost });
      for (const act of acts) {
        const key = keyOf(act);
        pending.set(key, [...(pending.peek(key) ?? []), act]);
      }
      if (known !== undefined) return;
      doubts.set(of, pending);
      void settleAll(of, pending);
    },
    /** @throws what `settle` throws, while an act of this key is in doubt */
    async settled(of: Of, key: string): Promise<void> {
      const pending = doubts.get(of);
      if (pending?.has(key) === true) await settleSome(of, pending, [key]);
    },
  };
}
