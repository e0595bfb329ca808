import { secondaryByPrimary } from '../../../../src/domain/intake/anamnesis/vocabulary/locations.ts';
import type { Answers } from './answers.ts';
import { LOCATION, type Hint } from './catalogue.ts';

/** The contribution of one answer to the score of one disease. */
export interface Contribution {
  field: string;
  /** The contributing answers; for a missed hint, the expected ones. */
  values: readonly string[];
  /** log2 of the likelihood ratio, before the temperature. */
  bits: number;
  basis: 'hint' | 'missed_hint' | 'reported' | 'not_reported';
  /** The data set of a fitted ratio. */
  source?: string;
}

/** A strong hint (weight ≥ 2) whose question has another answer costs this part of its weight. */
const missedShare = 0.15;

/** A site known only by its region ("arm" for "elbow crease") is half a match. */
const regionShare = 0.5;

/** The contribution of a hint to a disease without fitted likelihoods; undefined without one. */
export function weighHint(hint: Hint, answers: Answers): Contribution | undefined {
  const given = answers.values.get(hint.field);
  if (given === undefined) return undefined;
  const matched = hint.anyOf.filter((value) => given.includes(value));
  if (matched.length > 0) return contribution(hint, matched, hint.weight);
  const regions = hint.field === LOCATION ? matchedRegions(hint, answers) : [];
  if (regions.length > 0) return contribution(hint, regions, regionShare * hint.weight);
  if (hint.weight < 2) return undefined;
  return { ...contribution(hint, hint.anyOf, -missedShare * hint.weight), basis: 'missed_hint' };
}

/**
 * The contribution of a hint beside a fitted table. The table already accounts for the values and body regions it covers:
 * such values are dropped, an exact site keeps the half that exceeds its region, and a miss in a covered field costs
 * nothing.
 */
export function weighHintBesideTable(
  hint: Hint,
  answers: Answers,
  covers: (field: string, value?: string) => boolean,
): Contribution | undefined {
  if (!covers(hint.field)) return weighHint(hint, answers);
  const given = answers.values.get(hint.field) ?? [];
  const matched = hint.anyOf.filter((value) => given.includes(value) && !covers(hint.field, value));
  if (matched.length === 0) return undefined;
  return contribution(hint, matched, (hint.field === LOCATION ? 1 - regionShare : 1) * hint.weight);
}

const contribution = ({ field }: Hint, values: readonly string[], bits: number): Contribution => ({
  field,
  values,
  bits,
  basis: 'hint',
});

/** Regions answered without an exact site that contain one of the hint's sites. */
function matchedRegions(hint: Hint, { sites }: Answers): string[] {
  return sites
    .filter(
      ({ primary, secondary }) =>
        secondary === undefined && places(primary).some((it) => hint.anyOf.includes(it)),
    )
    .map(({ primary }) => primary);
}

const places = (region: string): readonly string[] =>
  (secondaryByPrimary as Record<string, readonly string[]>)[region] ?? [];
