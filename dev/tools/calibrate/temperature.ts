import type { Ranking } from './ranking.ts';

/** From ten times flatter than the scores to twice as sharp. */
const candidates = Array.from({ length: 39 }, (_, step) => 0.1 + 0.05 * step);

/** Applies temperature 1/exponent to scores that sum to 1; preserves their order and sum. */
export function temper(scores: readonly number[], exponent: number): number[] {
  const powers = scores.map((score) => score ** exponent);
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/** The exponent under which the labels of these rankings are least surprising (log loss). */
export function fitExponent(rankings: readonly Ranking[]): number {
  const loss = (exponent: number) =>
    rankings.reduce((sum, { label, slugs, scores }) => {
      const at = label === undefined ? -1 : slugs.indexOf(label);
      return at === -1 ? sum : sum - Math.log(temper(scores, exponent)[at] ?? 0);
    }, 0);
  const losses = candidates.map((exponent) => ({ exponent, loss: loss(exponent) }));
  return losses.toSorted((a, b) => a.loss - b.loss)[0]?.exponent ?? 1;
}
