import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { inDoubt } from '../../../src/lib/concurrency/in-doubt.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Act {
  key: string;
  number: number;
}

/** Acts of one database, which is away until `back` is called. */
function stage() {
  const settled: number[] = [];
  let isAway = true;
  const settle = vi.fn(async (_of: object, acts: readonly Act[]) => {
    if (isAway) throw new Error('away');
    settled.push(...acts.map(({ number }) => number));
  });
  const database = {};
  const acts = inDoubt({ keyOf: ({ key }: Act) => key, settle });
  return {
    settled,
    settle,
    add: (...added: Act[]) => acts.add(database, added),
    ask: (key: string) => acts.settled(database, key),
    back: () => void (isAway = false),
  };
}

describe('acts in doubt', () => {
  test('are settled by themselves as soon as that works, and then no more', async () => {
    const { add, back, settled, settle } = stage();
    add({ key: 'a', number: 1 }, { key: 'b', number: 2 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(settled).toEqual([]);
    back();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(settled).toEqual([1, 2]);
    settle.mockClear();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(settle).not.toHaveBeenCalled();
  });

  test('are asked about ever less often, and at least every half minute', async () => {
    const { add, settle } = stage();
    add({ key: 'a', number: 1 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(settle.mock.calls.length).toBeLessThan(10);
    settle.mockClear();
    await vi.advanceTimersByTimeAsync(300_000);
    expect(settle).toHaveBeenCalledTimes(10);
  });

  test('hold up what depends on them until they are settled, all of one key together', async () => {
    const { add, ask, back, settled } = stage();
    add({ key: 'a', number: 1 }, { key: 'b', number: 2 });
    add({ key: 'a', number: 3 });
    await expect(ask('a')).rejects.toThrow('away');
    back();
    await ask('a');
    expect(settled).toEqual([1, 3]);
    await ask('a');
    await ask('c');
    expect(settled).toEqual([1, 3]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(settled).toEqual([1, 3, 2]);
  });

  test('that come while others are being settled are settled as well', async () => {
    const { add, ask, back, settled, settle } = stage();
    add({ key: 'a', number: 1 });
    back();
    settle.mockImplementationOnce(async () => add({ key: 'a', number: 2 }));
    await ask('a');
    await ask('a');
    expect(settled).toEqual([1, 2]);
  });

  test('are settled a hundred at a time', async () => {
    const { add, back, settled, settle } = stage();
    add(...Array.from({ length: 250 }, (_, number) => ({ key: String(number), number })));
    back();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(settled).toHaveLength(250);
    expect(settle.mock.calls.map(([, acts]) => acts.length)).toEqual([100, 100, 50]);
  });
});
