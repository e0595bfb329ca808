import { expect, test } from 'vitest';
import { together, type TogetherOptions } from '../../src/lib/together.ts';

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
