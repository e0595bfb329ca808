/** A queue in which keys take turns: each item of a busy key waits behind one item of every other key. */
export interface FairQueue<Item> {
  push(key: string, item: Item): void;
  /** The oldest item of the first key that `mayRun` accepts; it stays in the queue. */
  peek(mayRun?: (key: string) => boolean): { key: string; item: Item } | undefined;
  /** Removes the next item and moves its key behind all others. */
  shift(): Item | undefined;
  remove(key: string, item: Item): void;
  /** Moves a key behind all others after one of its items was served. */
  served(key: string): void;
  itemsOf(key: string): readonly Item[];
  all(): Item[];
  readonly length: number;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  // In turn order: a Map iterates its keys in insertion order.
  const lanes = new Map<string, Item[]>();

  function peek(mayRun: (key: string) => boolean = () => true) {
    for (const [key, [item]] of lanes) {
      if (item !== undefined && mayRun(key)) return { key, item };
    }
    return undefined;
  }

  function remove(key: string, item: Item): void {
    const left = (lanes.get(key) ?? []).filter((other) => other !== item);
    if (left.length > 0) lanes.set(key, left);
    else lanes.delete(key);
  }

  function served(key: string): void {
    const lane = lanes.get(key);
    if (lane === undefined) return;
    lanes.delete(key);
    lanes.set(key, lane);
  }

  return {
    push(key, item) {
      lanes.set(key, [...(lanes.get(key) ?? []), item]);
    },
    peek,
    shift() {
      const next = peek();
      if (next === undefined) return undefined;
      remove(next.key, next.item);
      served(next.key);
      return next.item;
    },
    remove,
    served,
    itemsOf: (key) => lanes.get(key) ?? [],
    all: () => [...lanes.values()].flat(),
    get length() {
      return [...lanes.values()].reduce((sum, lane) => sum + lane.length, 0);
    },
  };
}
