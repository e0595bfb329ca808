import type { LikelihoodFile, Likelihoods } from '../../apps/ai-service/diagnosis/fitted.ts';
import { ageBands, diameterBand } from '../../apps/ai-service/diagnosis/pad.ts';
import { places, type PadRow } from '../replay/pad.ts';
import type { PadLabelledRow } from './labelled-rows.ts';

const signs = ['itch', 'grew', 'hurt', 'changed', 'bleed', 'elevation'] as const;

const diameters = ['lt_6mm', '6_10mm', '10_20mm', 'gt_20mm'];

/** Recounts `pad-likelihoods.json` on these rows only. */
export function countPad(rows: readonly PadLabelledRow[]): LikelihoodFile {
  const byCondition = Map.groupBy(rows, ({ label }) => label ?? '');
  return {
    conditions: Object.fromEntries(
      [...byCondition].map(([slug, own]) => [slug, likelihoods(own.map(({ row }) => row))]),
    ),
  };
}

function likelihoods(rows: readonly PadRow[]): Likelihoods {
  const bernoulli = Object.fromEntries(
    signs.map((sign) => {
      const known = rows.filter((row) => row[sign] !== undefined);
      return [sign, laplace(known.filter((row) => row[sign] === true).length, known.length, 2)];
    }),
  );
  return {
    bernoulli,
    categorical: {
      age: shares(
        rows.map(({ age }) => ageBandOf(age)),
        Object.keys(ageBands),
      ),
      diameter: shares(rows.map(diameterOf), diameters),
      region: shares(
        rows.map(({ region }) => region),
        Object.keys(places),
      ),
    },
  };
}

function shares(values: readonly (string | undefined)[], all: readonly string[]): Record<string, number> {
  const known = values.filter((value) => value !== undefined);
  return Object.fromEntries(
    all.map((value) => [
      value,
      laplace(known.filter((one) => one === value).length, known.length, all.length),
    ]),
  );
}

/** Adds one case of every value, so that an unseen value does not mean "never". */
const laplace = (count: number, of: number, values: number) => (count + 1) / (of + values);

function ageBandOf(age: number | undefined): string | undefined {
  if (age === undefined) return undefined;
  return Object.entries(ageBands).find(([, [from, to]]) => age >= from && age < to)?.[0];
}

/** A diameter of 0 in the data set means "not measured". */
function diameterOf({ diameter_1, diameter_2 }: PadRow): string | undefined {
  const largest = Math.max(diameter_1 ?? 0, diameter_2 ?? 0);
  return largest > 0 ? diameterBand(largest) : undefined;
}
