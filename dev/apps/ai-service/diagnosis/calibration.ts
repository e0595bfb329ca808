import fitted from '../data/calibration.json' with { type: 'json' };
import type { Disease } from './catalogue.ts';

/**
 * How often a disease with this score was the labelled one: points of a rising line, the first at the lowest score.
 * Between two points the share is interpolated; above the last one it does not rise, since nothing was measured there.
 */
export type Curve = readonly (readonly [score: number, share: number])[];

/**
 * Which replies share a curve. One reply has one curve, so that calibrating never reorders it. Growths have two:
 * where the first prediction was benign it was right in a third of the measured cases, where it was not in three
 * quarters, at the same scores.
 */
export const contexts = ['growth_benign_first', 'growth_suspicious_first', 'other'] as const;
export type Context = (typeof contexts)[number];

export function contextOf(category: string | undefined, first: Disease | undefined): Context {
  if (category !== 'growth_or_mole') return 'other';
  const isSuspicious = first?.category === 'malignant' || first?.category === 'premalignant';
  return isSuspicious ? 'growth_suspicious_first' : 'growth_benign_first';
}

export interface Calibration {
  curves: Readonly<Record<Context, Curve>>;
  /** Diseases that the measured rows had often enough as first prediction. */
  measuredFirsts: ReadonlySet<string>;
}

export const calibration: Calibration = {
  curves: {
    growth_benign_first: curveOf(fitted.curves.growth_benign_first.points),
    growth_suspicious_first: curveOf(fitted.curves.growth_suspicious_first.points),
    other: curveOf(fitted.curves.other.points),
  },
  measuredFirsts: new Set(Object.keys(fitted.rowsByFirst)),
};

/**
 * The curve of a reply. A first prediction that was hardly ever one among the measured rows, such as melanoma, would
 * borrow what others earned: it gets the curve that claims least.
 */
export function curveFor(
  { curves, measuredFirsts }: Calibration,
  category: string | undefined,
  first: Disease | undefined,
): Curve {
  if (first !== undefined && measuredFirsts.has(first.slug)) return curves[contextOf(category, first)];
  const cautious = contexts.map((context) => curves[context]).toSorted((a, b) => highest(a) - highest(b));
  return cautious[0] ?? curves.other;
}

/** The largest share that a curve gives. */
export const highest = (curve: Curve): number => curve.at(-1)?.[1] ?? 0;

/**
 * Probabilities for all scores of one ranking, in its order: never in another order, none above the largest share that
 * was measured, together at most 1. What is missing to 1 is the share of cases that were none of these. Where the
 * shares would be more than 1 together, the first keeps its own, because it is the one that is read.
 */
export function calibrate(scores: readonly number[], curve: Curve): number[] {
  const [first = 0, ...others] = scores.map((score) => shareAt(score, curve));
  const total = others.reduce((sum, share) => sum + share, 0);
  const scale = Math.min(1, (1 - first) / total);
  return [first, ...others.map((share) => share * scale)];
}

/** Complaints for which the calibration had enough labelled rows. */
export const isMeasured = (category: string | undefined): boolean =>
  category !== undefined && Object.hasOwn(fitted.rowsByComplaint, category);

/** Whether a score is above the last point, where the curve no longer rises. */
export const isBeyond = (score: number, curve: Curve): boolean => score > (curve.at(-1)?.[0] ?? 0);

function shareAt(score: number, curve: Curve): number {
  let [fromScore, fromShare] = [0, 0];
  for (const [toScore, toShare] of curve) {
    if (score <= toScore) {
      return fromShare + ((toShare - fromShare) * (score - fromScore)) / (toScore - fromScore);
    }
    [fromScore, fromShare] = [toScore, toShare];
  }
  return fromShare;
}

/** JSON has no pairs for TypeScript. @throws {Error} for points that do not rise. */
function curveOf(points: readonly (readonly number[])[]): Curve {
  const curve = points.map(([score = Number.NaN, share = Number.NaN]) => [score, share] as const);
  const rises = curve.every(([score, share], index) => {
    const [scoreBefore, shareBefore] = curve[index - 1] ?? [0, 0];
    return score > scoreBefore && share >= shareBefore && score <= 1 && share > 0 && share <= 1;
  });
  if (curve.length === 0 || !rises)
    throw new Error('data/calibration.json: the points of a curve must rise.');
  return curve;
}
