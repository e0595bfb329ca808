/** Something that an app remembers between requests, such as a cache; made by its first use. */
export interface Remembered<Value> {
  make: () => Value;
}

/** What one app remembers. Another app in the same process, on the same database even, has its own. */
export interface Memory {
  of<Value>(remembered: Remembered<Value>): Value;
}

/** Declares what each app remembers by itself. */
export const remembered = <Value>(make: () => Value): Remembered<Value> => ({ make });

export function createMemory(): Memory {
  const values = new Map<Remembered<unknown>, unknown>();
  return {
    of<Value>(each: Remembered<Value>): Value {
      if (!values.has(each)) values.set(each, each.make());
      return values.get(each) as Value;
    },
  };
}
