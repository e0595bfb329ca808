import { LRUCache } from 'lru-cache';
import type { Db } from '../db/connect.ts';

/** By key, when requests of this process began that have failed and may not have given the key back. */
const keysLeft = new WeakMap<Db, LRUCache<string, readonly Date[]>>();
const atMost = 10_000;
/** Requests with one key; by the time of more, the key of the first counts as abandoned. */
const requestsAtMost = 100;

/** Remembers a key whose request has failed, so that a retry need not wait until it counts as abandoned. */
export function leaveKey(db: Db, key: string, startedAt: Date): void {
  const left = keysLeft.get(db) ?? new LRUCache({ max: atMost });
  keysLeft.set(db, left);
  // While PostgreSQL is away retries fail as well, and the key may be in use by any of them.
  left.set(key, [...(left.get(key) ?? []), startedAt].slice(-requestsAtMost));
}

/** When the failed requests with this key began that may have left it. */
export const keyLeftBy = (db: Db, key: string): readonly Date[] => keysLeft.get(db)?.get(key) ?? [];
