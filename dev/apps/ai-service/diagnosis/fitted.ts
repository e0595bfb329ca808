import type { Answers } from './answers.ts';
import type { Contribution } from './hints.ts';

/** Likelihood ratios counted in a data set, for some of the diseases and some of the questions. */
export interface Likelihoods {
  /** P(yes) of yes/no features. */
  bernoulli: Record<string, number>;
  /** P(value) of features with one of several values. */
  categorical: Record<string, Record<string, number>>;
}

/** A table as it is stored: by the slug of the condition. */
export interface LikelihoodFile {
  conditions: Record<string, Likelihoods>;
}

export interface FittedTable {
  conditions: ReadonlySet<string>;
  /** Whether the table has a ratio for this answer and disease (without `value`: for the question). */
  covers: (slug: string, field: string, value?: string) => boolean;
  weigh: (slug: string, answers: Answers) => Contribution[];
}

/** Limits counted ratios to the weight of the strongest hint, a factor of 8. */
const strongest = 3;

/** The tables are rounded to three decimals; adding half a unit prevents a rounded 0 from meaning "never". */
const roundingFloor = 0.0005;

/** log2 of likelihood against background, bounded to ±3. */
export function logRatio(likelihood: number, background: number): number {
  const bits = Math.log2((likelihood + roundingFloor) / (background + roundingFloor));
  return Math.min(strongest, Math.max(-strongest, bits));
}
