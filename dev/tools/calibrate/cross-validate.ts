import { createHash } from 'node:crypto';
import type { Calibration, Context, Curve } from '../../apps/ai-service/diagnosis/calibration.ts';
import { createPadTable } from '../../apps/ai-service/diagnosis/pad.ts';
import { createScinTable } from '../../apps/ai-service/diagnosis/scin.ts';
import { countPad } from './count-pad.ts';
import { countScin } from './count-scin.ts';
import { fitIsotonic } from './isotonic.ts';
import type { LabelledRow, PadLabelledRow, ScinLabelledRow } from './labelled-rows.ts';
import { contextOfRanking, rank, type Ranking, shownClaims } from './ranking.ts';
import { fitExponent } from './temperature.ts';

export interface Rows {
  scin: readonly ScinLabelledRow[];
  pad: readonly PadLabelledRow[];
}

type ByDataSet<Item> = Record<keyof Rows, Item[]>;

export interface Calibrators extends Calibration {
  /** For comparison: the best temperatures, inverted. */
  exponents: Readonly<Record<Context, number>>;
  /** The claims that the curves were fitted to. */
  rankings: readonly Ranking[];
}

/** A ranking together with calibrators that were fitted without its row. */
export interface Tried {
  ranking: Ranking;
  calibrators: Calibrators;
}

export const FOLDS = 5;
/** Minimum number of claims behind a point of a curve. */
export const LEAST_CLAIMS = 100;
/** Minimum number of rows with a disease as first prediction for it to count as measured. */
export const LEAST_FIRSTS = 20;

/**
 * Fits the calibrators to rows ranked by tables that were not counted on them; the shipped tables were, and would look too
 * good. `salt` selects another division into folds.
 */
export function fitCalibrators(rows: Rows, salt = ''): Calibrators {
  const { scin, pad } = perFold((fold) => rankHeldOut(rows, fold, salt));
  const rankings = [...scin, ...pad];
  const of = (context: Context) => rankings.filter((ranking) => contextOfRanking(ranking) === context);
  const firsts = Map.groupBy(rankings, ({ first }) => first?.slug ?? '');
  return {
    curves: forEachContext((context) => curveOf(of(context))),
    measuredFirsts: new Set(
      [...firsts].filter(([, own]) => own.length >= LEAST_FIRSTS).map(([slug]) => slug),
    ),
    exponents: forEachContext((context) => fitExponent(of(context))),
    rankings,
  };
}

const forEachContext = <Value>(of: (context: Context) => Value): Record<Context, Value> => ({
  growth_benign_first: of('growth_benign_first'),
  growth_suspicious_first: of('growth_suspicious_first'),
  other: of('other'),
});

const curveOf = (rankings: readonly Ranking[]): Curve =>
  fitIsotonic(
    rankings.flatMap((ranking) => shownClaims(ranking, ranking.scores)),
    LEAST_CLAIMS,
  );

/** Nested: the tables and calibrators for a row have seen none of its fold, and so none of its patient. */
export function crossValidate(rows: Rows, salt = ''): ByDataSet<Tried> {
  return perFold((fold) => {
    const calibrators = fitCalibrators(
      select(rows, (row) => foldOf(row, salt) !== fold),
      `${salt}within ${fold}: `,
    );
    const { scin, pad } = rankHeldOut(rows, fold, salt);
    const tried = (ranking: Ranking): Tried => ({ ranking, calibrators });
    return { scin: scin.map(tried), pad: pad.map(tried) };
  });
}

function perFold<Item>(of: (fold: number) => ByDataSet<Item>): ByDataSet<Item> {
  const folds = Array.from({ length: FOLDS }, (_, fold) => of(fold));
  return { scin: folds.flatMap(({ scin }) => scin), pad: folds.flatMap(({ pad }) => pad) };
}

/** Ranks one fold with tables that were counted on the others. */
function rankHeldOut(rows: Rows, fold: number, salt: string): ByDataSet<Ranking> {
  const counted = select(rows, (row) => foldOf(row, salt) !== fold);
  const tables = [createScinTable(countScin(counted.scin)), createPadTable(countPad(counted.pad))];
  const asked = select(rows, (row) => foldOf(row, salt) === fold);
  return {
    scin: asked.scin.map((row) => rank(row, tables)),
    pad: asked.pad.map((row) => rank(row, tables)),
  };
}

const select = ({ scin, pad }: Rows, wanted: (row: LabelledRow) => boolean): Rows => ({
  scin: scin.filter(wanted),
  pad: pad.filter(wanted),
});

/** By a digest of the group, not by chance: all rows of a patient share a fold, and every run divides in the same way. */
export function foldOf({ group }: Pick<LabelledRow, 'group'>, salt = ''): number {
  return createHash('sha256').update(`${salt}${group}`).digest().readUInt32BE() % FOLDS;
}
