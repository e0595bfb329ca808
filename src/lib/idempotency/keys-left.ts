import { LRUCache } from 'lru-cache';
import type { Db } from '../db/connect.ts';

/** By key, when requests of this process began that have failed and may not have given the key back. */
const keysLeft = new WeakMap<Db, LRUCache<string, Date>>();
const atMost = 10_000;

/** Remembers a key whose request has failed, so that a retry need not wait until it counts as abandoned. */
export function leaveKey(db: Db, key: string, startedAt: Date): void {
  const left = keysLeft.get(db) ?? new LRUCache({ max: atMost });
  keysLeft.set(db, left);
  left.set(key, startedAt);
}

/** When the failed request with this key began; undefined where none has left it. */
export const keyLeftBy = (db: Db, key: string): Date | undefined => keysLeft.get(db)?.get(key);
