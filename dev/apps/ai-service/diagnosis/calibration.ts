import fitted from '../data/calibration.json' with { type: 'json' };
import type { Disease } from './catalogue.ts';

/**
 * How often a disease with this score matched the label: points of a rising curve, the first at the lowest score. Shares
 * between two points are interpolated; above the last point the curve is flat, because nothing was measured there.
 */
export type Curve = readonly (readonly [score: number, share: number])[];

/**
 * The groups of replies that share a curve. One reply has one curve, so that calibration never reorders it. Growths have two:
 * at the same scores a benign first prediction was right in a third of the measured cases, any other in three quarters.
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
  /** Diseases that were the first prediction of enough measured rows. */
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
 * The curve of a reply. A disease that was rarely a first prediction in the measured rows, such as melanoma, gets the most
 * conservative curve: the accuracy of other diseases does not apply to it.
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
 * Probabilities for all scores of one ranking, in the same order, none above the largest measured share, in sum at most 1.
 * The rest up to 1 is the share of cases with none of these diseases. Where the shares would exceed 1 in sum, the first
 * keeps its own, because readers rely on it most.
 */
export function calibrate(scores: readonly number[], curve: Curve): number[] {
  const [first = 0, ...others] = scores.map((score) => shareAt(score, curve));
  const total = others.reduce((sum, share) => sum + share, 0);
  const left = 1 - first;
  const scale = total > left ? left / total : 1;
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
      const share = fromShare + ((toShare - fromShare) * (score - fromScore)) / (toScore - fromScore);
      // Rounded, it may lie above the point that it leads to.
      return Math.min(share, toShare);
    }
    [fromScore, fromShare] = [toScore, toShare];
  }
  return fromShare;
}

/** Types the points, which JSON imports as number[][]. @throws {Error} for points that do not rise. */
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
