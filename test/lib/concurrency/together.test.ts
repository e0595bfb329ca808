import { expect, test } from 'vitest';
import { together, type TogetherOptions } from '../../../src/lib/concurrency/together.ts';

const of = {};

function doubling(options: Partial<TogetherOptions> = {}) {
  const calls: (readonly number[])[] = [];
  const double = together(
    async (_: object, numbers: readonly number[]) => {
      calls.push(numbers);
      if (numbers.includes(0)) throw new Error('zero');
      return numbers.map((number) => number * 2);
    },
    { atMost: 3, ...options },
  );
  return { calls, double };
}

test('calls of one turn of the event loop are one, of the next one another, at most so many at once', async () => {
  const { calls, double } = doubling();
  expect(await Promise.all([1, 2, 3, 4].map((number) => double(of, number)))).toEqual([2, 4, 6, 8]);
  expect(await double(of, 5)).toBe(10);
  expect(calls).toEqual([[1, 2, 3], [4], [5]]);
});

test('what is asked of another one, or twice, is asked by itself', async () => {
  const { calls, double } = doubling();
  await Promise.all([double(of, 1), double({}, 2), double(of, 1)]);
  expect(calls).toEqual([[1, 1], [2]]);
});

test('all learn of a failure', async () => {
  const { calls, double } = doubling();
  const outcomes = await Promise.allSettled([double(of, 1), double(of, 0)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(calls).toHaveLength(1);
});

test('a failure that may be of one: each is asked by itself, and it alone fails', async () => {
  const { calls, double } = doubling({ isOfOne: (error) => (error as Error).message === 'zero' });
  const outcomes = await Promise.allSettled([double(of, 1), double(of, 0), double(of, 3)]);
  expect(outcomes).toMatchObject([{ value: 2 }, { reason: { message: 'zero' } }, { value: 6 }]);
  expect(calls).toEqual([[1, 0, 3], [1], [0], [3]]);
  await expect(double(of, 0)).rejects.toThrow('zero');
  expect(calls).toHaveLength(5);
});

test('while a call is under way the next ones gather, but wait no longer than patience lasts', async () => {
  const calls: (readonly number[])[] = [];
  const held: (() => void)[] = [];
  const ask = together(
    async (_: object, numbers: readonly number[]) => {
      calls.push(numbers);
      await new Promise<void>((resolve) => held.push(resolve));
      return [...numbers];
    },
    { atMost: 3, patienceMs: 100_000 },
  );
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const asked = [ask(of, 1)];
  await turn();
  for (const number of [2, 3]) {
    asked.push(ask(of, number));
    await turn();
  }
  expect(calls).toEqual([[1]]);
  held[0]?.();
  await asked[0];
  await turn();
  expect(calls).toEqual([[1], [2, 3]]);
  // A full group begins without waiting.
  asked.push(...[4, 5, 6, 7].map((number) => ask(of, number)));
  await turn();
  expect(calls).toEqual([[1], [2, 3], [4, 5, 6]]);
  for (const resolve of held) resolve();
  await turn();
  expect(calls.at(-1)).toEqual([7]);
  held.at(-1)?.();
  expect(await Promise.all(asked)).toEqual([1, 2, 3, 4, 5, 6, 7]);

  const hurried = together(
    async (_: object, numbers: readonly number[]) => {
      calls.push(numbers);
      if (numbers.includes(8)) await new Promise(() => undefined);
      return [...numbers];
    },
    { atMost: 3, patienceMs: 20 },
  );
  void hurried(of, 8);
  await turn();
  expect(await hurried(of, 9)).toBe(9);
});
