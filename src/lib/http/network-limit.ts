import { LRUCache } from 'lru-cache';
import { Problem } from '../../contract/problem.ts';

const windowMs = 60_000;
/** Networks that are counted at once; the one not seen for longest is forgotten first. */
const maxNetworks = 10_000;

/** Counts the requests of a network in the memory of this instance: for cheap public routes, which no row is worth. */
export interface NetworkLimit {
  /** @throws {Problem} `rate_limited` with a true `Retry-After`. */
  take(ipPrefix: string | undefined, now: Date): void;
}

export function createNetworkLimit(perMinute: number): NetworkLimit {
  const windows = new LRUCache<string, { endsAt: number; count: number }>({ max: maxNetworks });
  return {
    take(ipPrefix, now) {
      const key = ipPrefix ?? 'unknown';
      const at = now.getTime();
      const open = windows.get(key);
      const window = open !== undefined && at < open.endsAt ? open : { endsAt: at + windowMs, count: 0 };
      window.count += 1;
      windows.set(key, window);
      if (window.count > perMinute) {
        throw new Problem('rate_limited', { retryAfter: Math.ceil((window.endsAt - at) / 1000) });
      }
    },
  };
}
