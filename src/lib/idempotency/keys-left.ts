import { LRUCache } from 'lru-cache';
import { remembered } from '../app/memory.ts';

/** By key, when requests of this app began that have failed and may not have given the key back. */
export type KeysLeft = LRUCache<string, readonly Date[]>;

const atMost = 10_000;
/** Requests with one key; by the time of more, the key of the first counts as abandoned. */
const requestsAtMost = 100;

export const keysLeft = remembered((): KeysLeft => new LRUCache({ max: atMost }));

/** Remembers a key whose request has failed, so that a retry need not wait until it counts as abandoned. */
export function leaveKey(left: KeysLeft, key: string, startedAt: Date): void {
  // While PostgreSQL is away retries fail as well, and the key may be in use by any of them.
  left.set(key, [...(left.get(key) ?? []), startedAt].slice(-requestsAtMost));
}
