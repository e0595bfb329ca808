import type { Problem } from '../../contract/problem.ts';

export interface Turns {
  /**
   * Runs `work` once fewer than `perKey` of the same key are running.
   * @throws {Problem} from `refuse`, after waiting `maxWaitMs`.
   */
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  begin: () => void;
  deadline: NodeJS.Timeout;
}

/** Bounds the concurrent work of each key; further work of a key waits, first come, first served. */
export function createTurns(limits: { perKey: number; maxWaitMs: number; refuse: () => Problem }): Turns {
  const running = new Map<string, number>();
  const lanes = new Map<string, Waiting[]>();

  function acquire(key: string): Promise<void> | undefined {
    const count = running.get(key) ?? 0;
    if (count < limits.perKey) {
      running.set(key, count + 1);
      return undefined;
    }
    return new Promise<void>((resolve, reject) => {
      const deadline = setTimeout(() => {
        const rest = (lanes.get(key) ?? []).filter((waiting) => waiting !== own);
        if (rest.length === 0) lanes.delete(key);
        else lanes.set(key, rest);
        reject(limits.refuse());
      }, limits.maxWaitMs);
      const own: Waiting = { begin: resolve, deadline };
      lanes.set(key, [...(lanes.get(key) ?? []), own]);
    });
  }

  /** Hands the slot to the next in the lane, so that a newcomer cannot overtake it. */
  function release(key: string): void {
    const [next, ...rest] = lanes.get(key) ?? [];
    if (next !== undefined) {
      if (rest.length === 0) lanes.delete(key);
      else lanes.set(key, rest);
      clearTimeout(next.deadline);
      return next.begin();
    }
    const count = (running.get(key) ?? 1) - 1;
    if (count === 0) running.delete(key);
    else running.set(key, count);
  }

  return {
    async take(key, work) {
      await acquire(key);
      try {
        return await work();
      } finally {
        release(key);
      }
    },
  };
}
