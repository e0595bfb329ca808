import type { Likelihoods } from '../../apps/ai-service/diagnosis/fitted.ts';
import { type createScinTable, scinTable } from '../../apps/ai-service/diagnosis/scin.ts';
import { ScinRow } from '../replay/scin-columns.ts';
import { keysOf } from '../replay/keys-of.ts';
import type { ScinLabelledRow } from './labelled-rows.ts';

type ScinLikelihoods = Parameters<typeof createScinTable>[0];

/** Background cases added to every condition, so that few cases carry little weight. */
const PSEUDO_COUNTS = 8;

/** The tables' names for the columns of a question. */
const questions = [
  ['textures_', 'tex_'],
  ['body_parts_', 'loc_'],
  ['condition_symptoms_', 'sym_'],
  ['other_symptoms_', 'sys_'],
] as const;

const categories = {
  cat: 'related_category',
  dur: 'condition_duration',
  age: 'age_group',
  sex: 'sex_at_birth',
} as const satisfies Record<string, keyof ScinRow>;

const allColumns = ScinRow.keyof().options;

const withoutInformation: ReadonlySet<string> = new Set([
  '',
  'UNKNOWN',
  'AGE_UNKNOWN',
  'OTHER_OR_UNSPECIFIED',
]);

interface Weighed {
  row: ScinRow;
  weight: number;
}

/** Recounts `scin-likelihoods.json` for the same conditions on these rows only. A question without a tick is unanswered. */
export function countScin(rows: readonly ScinLabelledRow[]): ScinLikelihoods {
  const background = likelihoods(
    rows.map(({ row }) => ({ row, weight: 1 })),
    undefined,
  );
  const byCondition = new Map<string, Weighed[]>();
  for (const { row, weights } of rows) {
    for (const [slug, weight] of weights)
      byCondition.set(slug, [...(byCondition.get(slug) ?? []), { row, weight }]);
  }
  const counted = [...byCondition].filter(([slug]) => scinTable.conditions.has(slug));
  return {
    background,
    conditions: Object.fromEntries(counted.map(([slug, cases]) => [slug, likelihoods(cases, background)])),
  };
}

function likelihoods(cases: readonly Weighed[], background: Likelihoods | undefined): Likelihoods {
  const pseudo = background === undefined ? 0 : PSEUDO_COUNTS;
  const share = (of: readonly Weighed[], among: readonly Weighed[], usual = 0) =>
    (sum(of) + pseudo * usual) / Math.max(Number.EPSILON, sum(among) + pseudo);

  const bernoulli: Record<string, number> = {};
  for (const [prefix, shortPrefix] of questions) {
    const columns = allColumns.filter((column) => column.startsWith(prefix));
    const answered = cases.filter(({ row }) => columns.some((column) => row[column] === true));
    for (const column of columns) {
      const feature = `${shortPrefix}${column.slice(prefix.length)}`;
      const ticked = answered.filter(({ row }) => row[column] === true);
      bernoulli[feature] = share(ticked, answered, background?.bernoulli[feature]);
    }
  }

  const categorical: Record<string, Record<string, number>> = {};
  for (const feature of keysOf(categories)) {
    const column = categories[feature];
    const known = cases.filter(({ row }) => !withoutInformation.has(row[column]));
    const values =
      background === undefined
        ? new Set(known.map(({ row }) => row[column]))
        : Object.keys(background.categorical[feature] ?? {});
    categorical[feature] = Object.fromEntries(
      [...values].map((value) => [
        value,
        share(
          known.filter(({ row }) => row[column] === value),
          known,
          background?.categorical[feature]?.[value],
        ),
      ]),
    );
  }
  return { bernoulli, categorical };
}

const sum = (cases: readonly Weighed[]) => cases.reduce((total, { weight }) => total + weight, 0);
