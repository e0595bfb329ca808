import type { AgeGroup } from './vocabulary/patient.ts';

/** Completed years, both ends included. */
export interface AgeRange {
  min: number;
  max: number;
}

const ageRanges: Readonly<Record<Exclude<AgeGroup, 'unknown'>, AgeRange>> = {
  age_0_to_1: { min: 0, max: 1 },
  age_2_to_11: { min: 2, max: 11 },
  age_12_to_17: { min: 12, max: 17 },
  age_18_to_29: { min: 18, max: 29 },
  age_30_to_39: { min: 30, max: 39 },
  age_40_to_49: { min: 40, max: 49 },
  age_50_to_59: { min: 50, max: 59 },
  age_60_to_69: { min: 60, max: 69 },
  age_70_to_79: { min: 70, max: 79 },
  age_80_or_above: { min: 80, max: 120 },
};

interface AgeAnswers {
  ageYears?: number | undefined;
  ageMonths?: number | undefined;
  ageGroup?: AgeGroup | undefined;
}

/** The possible ages of the patient: the exact one if given, else the band; undefined when unknown. */
export function possibleAges({ ageYears, ageMonths, ageGroup }: AgeAnswers = {}): AgeRange | undefined {
  const years = ageYears ?? (ageMonths === undefined ? undefined : Math.floor(ageMonths / 12));
  if (years !== undefined) return { min: years, max: years };
  return ageGroup === undefined || ageGroup === 'unknown' ? undefined : ageRanges[ageGroup];
}

/** The same in completed months, both ends included. */
export function possibleMonths(patient: AgeAnswers = {}): AgeRange | undefined {
  const { ageMonths } = patient;
  if (ageMonths !== undefined) return { min: ageMonths, max: ageMonths };
  const years = possibleAges(patient);
  return years && { min: years.min * 12, max: years.max * 12 + 11 };
}
