/** A queue that serves its keys in turn: of many items of one key, each waits behind one item of every other key. */
export interface FairQueue<Item> {
  push(key: string, item: Item): void;
  /** The next item, of the key that was served longest ago. */
  shift(): Item | undefined;
  /** @returns false when the item does not wait here. */
  remove(key: string, item: Item): boolean;
  lengthOf(key: string): number;
  readonly length: number;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  /** A Map yields its keys in the order in which they were set: the first one is next. */
  const lanes = new Map<string, Item[]>();
  let length = 0;
  return {
    push(key, item) {
      const lane = lanes.get(key);
      if (lane === undefined) lanes.set(key, [item]);
      else lane.push(item);
      length += 1;
    },
    shift() {
      const [next] = lanes;
      if (next === undefined) return undefined;
      const [key, lane] = next;
      const item = lane.shift();
      lanes.delete(key);
      if (lane.length > 0) lanes.set(key, lane);
      length -= 1;
      return item;
    },
    remove(key, item) {
      const lane = lanes.get(key) ?? [];
      const position = lane.indexOf(item);
      if (position === -1) return false;
      lane.splice(position, 1);
      if (lane.length === 0) lanes.delete(key);
      length -= 1;
      return true;
    },
    lengthOf: (key) => lanes.get(key)?.length ?? 0,
    get length() {
      return length;
    },
  };
}
