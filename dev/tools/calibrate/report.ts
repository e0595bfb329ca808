// The results of the cross-validation, as tables for a terminal.
import { calibrate, curveFor } from '../../apps/ai-service/diagnosis/calibration.ts';
import { table } from '../bench/table.ts';
import type { Tried } from './cross-validate.ts';
import type { Claim } from './isotonic.ts';
import { BINS, brierScore, chanceError, expectedCalibrationError, inBins } from './measures.ts';
import { contextOfRanking, shownClaims } from './ranking.ts';
import { temper } from './temperature.ts';

type Way = (tried: Tried) => readonly number[];

const ways: readonly [name: string, way: Way][] = [
  ['uncalibrated', ({ ranking }) => ranking.scores],
  [
    'temperature',
    ({ ranking, calibrators }) => temper(ranking.scores, calibrators.exponents[contextOfRanking(ranking)]),
  ],
  [
    'isotonic (shipped)',
    ({ ranking, calibrators }) =>
      calibrate(ranking.scores, curveFor(calibrators, ranking.complaint, ranking.first)),
  ],
];

/** One table for a data set; `divisions` are repetitions with other folds, printed as means. */
export function report(name: string, divisions: readonly (readonly Tried[])[]): string {
  const [first = []] = divisions;
  const rows = ways.map(([way, probabilitiesOf]) => {
    const claims = divisions.map((division) =>
      division.map((tried) => shownClaims(tried.ranking, probabilitiesOf(tried))),
    );
    const firsts = claims.map((replies) => replies.flatMap(([claim]) => claim ?? []));
    const shown = claims.map((replies) => replies.flat());
    return [
      way,
      ...[1, 3, 5].map((count) => percent(mean(claims.map((replies) => withinFirst(replies, count))))),
      ...[firsts, shown].flatMap((of) => [
        mean(of.map((all) => expectedCalibrationError(all))).toFixed(4),
        mean(of.map((all) => chanceError(all))).toFixed(4),
      ]),
      mean(firsts.map(brierScore)).toFixed(4),
      percent(mean(firsts.map((all) => mean(all.map(({ score }) => score))))),
      percent(Math.max(...firsts.flat().map(({ score }) => score))),
    ];
  });
  const head = [
    '',
    'top 1',
    'top 3',
    'top 5',
    'ECE 1',
    'by chance',
    'ECE 5',
    'by chance',
    'Brier',
    'mean',
    'max',
  ];
  const amongKnown = [1, 3, 5].map((count) => percent(mean(divisions.map((one) => knownWithin(one, count)))));
  return [
    `\n${name}: ${first.length} labelled rows`,
    table(head, rows),
    `  Of the rows whose label the catalogue has, it is among the first 1, 3, 5 in ${amongKnown.join(', ')}.`,
  ].join('\n');
}

/** Claimed and actual accuracy of the first prediction, from the least to the most certain tenth of the rows. */
export function reliability(division: readonly Tried[]): string {
  const rows = ways.flatMap(([way, probabilitiesOf]) => {
    const firsts = division.flatMap((tried) => shownClaims(tried.ranking, probabilitiesOf(tried))[0] ?? []);
    const bins = inBins(
      firsts.toSorted((a, b) => a.score - b.score),
      BINS,
    );
    const cell = (bin: readonly Claim[], of: (claim: Claim) => number) => percent(mean(bin.map(of)));
    return [
      [`${way}, claims`, ...bins.map((bin) => cell(bin, ({ score }) => score))],
      ['  is right', ...bins.map((bin) => cell(bin, ({ isRight }) => Number(isRight)))],
    ];
  });
  const head = ['', ...Array.from({ length: BINS }, (_, bin) => `${bin + 1}.`)];
  return `\n  The first prediction by tenths of the rows, in the first division:\n${table(head, rows)}`;
}

function knownWithin(division: readonly Tried[], count: number): number {
  const known = division.flatMap(({ ranking: { label, slugs } }) =>
    label === undefined ? [] : [slugs.indexOf(label)],
  );
  return mean(known.map((place) => Number(place !== -1 && place < count)));
}

const withinFirst = (replies: readonly (readonly Claim[])[], count: number) =>
  mean(replies.map((claims) => Number(claims.slice(0, count).some(({ isRight }) => isRight))));

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
