import { performance } from 'node:perf_hooks';

export type Comparison = {
  /** By how much the one takes longer than the other: the middle of the ratios of all pairs. */
  ratio: number;
  /** Where that middle is with 99 % certainty, whatever the times are distributed like. */
  interval: readonly [low: number, high: number];
  pairs: number;
};

type Conditions = { bound: number; most: number; settle?: () => Promise<unknown> };

/** The fewest pairs that give an interval of that certainty: twice a half to the eighth power. */
const fewest = 8;
const z = 2.58;

/**
 * Times `one` and `other` in pairs, each of them first in every second pair, until it is certain whether their ratio is
 * within 1/`bound` and `bound`, or `most` pairs are done. Whatever else the machine does falls on both alike, and more
 * of it takes more pairs. `settle` waits for what the one before may have left behind.
 */
export async function comparePairs(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
  { bound, most, settle = async () => undefined }: Conditions,
): Promise<Comparison> {
  const ratios: number[] = [];
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    await settle();
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  };
  for (;;) {
    const oneFirst = ratios.length % 2 === 0;
    const first = await timed(oneFirst ? one : other);
    const second = await timed(oneFirst ? other : one);
    ratios.push(oneFirst ? first / second : second / first);
    if (ratios.length < fewest) continue;
    const comparison = middleOf(ratios);
    const [low, high] = comparison.interval;
    const isCertain = low > bound || high < 1 / bound || (low > 1 / bound && high < bound);
    if (isCertain || ratios.length >= most) return comparison;
  }
}

/** The median, and the order statistics that enclose it (sign test, by the normal approximation of the binomial). */
function middleOf(ratios: readonly number[]): Comparison {
  const sorted = ratios.toSorted((a, b) => a - b);
  const pairs = sorted.length;
  const outside = Math.max(0, Math.floor((pairs - z * Math.sqrt(pairs)) / 2));
  const at = (index: number) => sorted[index] as number;
  const ratio = (at(Math.floor((pairs - 1) / 2)) + at(Math.floor(pairs / 2))) / 2;
  return { ratio, interval: [at(outside), at(pairs - 1 - outside)], pairs };
}
