import type { ComplaintCategory, Duration } from '../../../src/domain/anamnesis/enums/complaint.ts';
import { any, type Findings, noneOf } from '../../../src/domain/red-flags/findings.ts';

export type When = (findings: Findings) => boolean;

export const is =
  (...categories: ComplaintCategory[]): When =>
  ({ complaint }) =>
    any(complaint.category, ...categories);

/** The category is known and none of these. */
export const isNot =
  (...categories: ComplaintCategory[]): When =>
  ({ complaint }) =>
    noneOf(complaint.category, ...categories);

export const isRash = is('rash');

/** Something that could be, or could become, a skin cancer. */
export const isMark = is('growth_or_mole', 'pigmentary_problem');

export const lasts =
  (...durations: Duration[]): When =>
  ({ complaint }) =>
    any(complaint.duration, ...durations);

export const upToFourWeeks = [
  'one_day',
  'less_than_one_week',
  'one_to_four_weeks',
] as const satisfies Duration[];

export const upToThreeMonths = [...upToFourWeeks, 'one_to_three_months'] as const satisfies Duration[];

export const fromOneMonth = [
  'one_to_three_months',
  'three_to_twelve_months',
  'more_than_one_year',
  'more_than_five_years',
  'since_childhood',
] as const satisfies Duration[];
