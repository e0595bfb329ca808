import { Problem } from '../../../contract/problem.ts';
import { possibleAges } from '../../intake/anamnesis/age.ts';
import type { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { ageInMonths, ageInYears } from './age.ts';

const months24 = 24;
/** In years: the most that answers can state. Clinics enter 1900 for a birth date that they do not know. */
const greatestAge = 120;

/**
 * The answers with the age by the birth date of the profile, where that is known. It replaces every other one: rules for infants
 * depend on weeks, and an age in the answers may be that of a sibling, or of an earlier day.
 */
export function withKnownAge(
  answers: PartialAnamnesis,
  birthDate: string | null,
  now: Date,
): PartialAnamnesis {
  if (birthDate === null) return answers;
  const { ageYears: _years, ageMonths: _months, ageGroup: _group, ...others } = answers.patient ?? {};
  const months = ageInMonths(birthDate, now);
  const age = {
    ageYears: statableAge(birthDate, now),
    ...(months < months24 && { ageMonths: months }),
  };
  return { ...answers, patient: { ...others, ...age } };
}

const statableAge = (birthDate: string, now: Date) => Math.min(ageInYears(birthDate, now), greatestAge);

/** @throws {Problem} `age_mismatch` where age and birth date cannot both be true: one of them is of another person, or mistyped. */
export function requireSameAge({ patient }: PartialAnamnesis, birthDate: string | null, now: Date): void {
  const stated = possibleAges(patient);
  if (stated === undefined || birthDate === null) return;
  const years = statableAge(birthDate, now);
  if (years >= stated.min - 1 && years <= stated.max + 1) return;
  const message = 'Differs from the birth date of the profile by more than a year.';
  throw new Problem('age_mismatch', {
    errors: [{ pointer: '/anamnesis/patient', code: 'age_mismatch', message }],
  });
}
