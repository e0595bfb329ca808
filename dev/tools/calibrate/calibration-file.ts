import { contexts } from '../../apps/ai-service/diagnosis/calibration.ts';
import { type Calibrators, FOLDS, LEAST_CLAIMS, type Rows } from './cross-validate.ts';
import { contextOfRanking, SHOWN } from './ranking.ts';

/** Complaints with fewer rows count as unmeasured; small counts are not published. */
const LEAST_ROWS = 50;

/** The content of `data/calibration.json`: points of two lines and counts, nothing about a person. */
export function calibrationFile({ scin, pad }: Rows, { rankings, curves, measuredFirsts }: Calibrators) {
  const firsts = rankings.flatMap(({ first }) => first?.slug ?? []);
  return {
    source: `Isotonic regression on the ${SHOWN} first scores of SCIN v1.0.0 (${scin.length} labelled cases) and PAD-UFES-20 (${pad.length} lesions), ranked by tables of the other ${FOLDS - 1} of ${FOLDS} folds; at least ${LEAST_CLAIMS} scores a point. Made by npm run calibrate.`,
    rowsByComplaint: countBy(
      rankings.flatMap(({ complaint }) => complaint ?? []),
      (_, count) => count >= LEAST_ROWS,
    ),
    rowsByFirst: countBy(firsts, (slug) => measuredFirsts.has(slug)),
    curves: Object.fromEntries(
      contexts.map((context) => {
        const own = rankings.filter((ranking) => contextOfRanking(ranking) === context);
        const people = new Set(own.map(({ group }) => group)).size;
        return [context, { rows: own.length, people, points: curves[context] }];
      }),
    ),
  };
}

function countBy(
  words: readonly string[],
  isWanted: (word: string, count: number) => boolean,
): Record<string, number> {
  const groups = [...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length] as const);
  const wanted = groups.filter(([word, count]) => isWanted(word, count));
  return Object.fromEntries(wanted.toSorted(([a], [b]) => a.localeCompare(b)));
}
