import { secondaryByPrimary } from '../../../../src/domain/intake/anamnesis/vocabulary/locations.ts';
import type { Answers } from './answers.ts';
import { LOCATION, type Hint } from './catalogue.ts';

/** What one answer did to one disease's score. */
export interface Contribution {
  field: string;
  /** The answers that speak; for a missed hint, those that were hoped for. */
  values: readonly string[];
  /** log2 of the likelihood ratio, before the temperature. */
  bits: number;
  basis: 'hint' | 'missed_hint' | 'reported' | 'not_reported';
  /** Of a fitted ratio: the data set that it was counted in. */
  source?: string;
}

/** A strong hint (weight ≥ 2) whose question was answered otherwise costs this part of its weight. */
const missedShare = 0.15;

/** A site known only by its region ("arm" for "elbow crease") is half a match. */
const regionShare = 0.5;

/** The contribution of a hint to a disease without fitted likelihoods; undefined when it says nothing. */
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
 * The contribution of a hint beside a fitted table. The table already speaks about the values it covers, and about
 * regions of the body: such values are dropped, an exact site keeps the half that its region does not have, and
 * nothing is charged for a miss in a field that the table covers.
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

/** Regions that were named without an exact place and that contain one of the hint's places. */
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
