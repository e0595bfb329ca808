import { possibleAges } from '../../anamnesis/age.ts';
import { atLeast, ageBelow, has, unsureOf } from '../conditions.ts';
import {
  all,
  type Condition,
  decided,
  met,
  not,
  onlyIfShown,
  open,
  some,
  unmet,
  unlessExcluded,
  type ValueAt,
} from '../answer-logic.ts';

/** 38 °C measured, fever felt, or chills: a thermometer is not always available. */
export const febrile: Condition = some(
  has('symptoms.systemic', 'fever', 'chills'),
  onlyIfShown(atLeast('symptoms.temperatureC', 38)),
);

/** Fever as guidelines define it: chills alone are not enough. */
export const fever: Condition = some(
  has('symptoms.systemic', 'fever'),
  onlyIfShown(atLeast('symptoms.temperatureC', 38)),
);

export const airwaySign: Condition = has(
  'symptoms.emergency',
  'difficulty_breathing',
  'throat_tightness',
  'tongue_swelling',
  'noisy_breathing',
);

/** Signs of sepsis or meningitis in the safety screen. */
export const poorGeneralState: Condition = has(
  'symptoms.emergency',
  'confusion',
  'stiff_neck',
  'very_fast_heartbeat',
  'mottled_or_blue_skin',
  'unable_to_drink',
  'drowsy_child',
  'fainting',
);

/** A child who is drowsy, does not drink or vomits with a fever. */
export const unwellChild: Condition = all(
  ageBelow(16),
  some(
    has('symptoms.emergency', 'drowsy_child', 'unable_to_drink', 'mottled_or_blue_skin'),
    all(febrile, has('symptoms.systemic', 'vomiting')),
  ),
);

/** Pain in any lay word; tenderness, burning and a pain score of at least 4 count. */
export const painful: Condition = some(
  has('symptoms.local', 'pain', 'tenderness', 'burning'),
  onlyIfShown(atLeast('symptoms.painSeverity', 4)),
);

/** Pain far worse than the skin looks; asked about from a score of 6. */
export const painOutOfProportion: Condition = some(
  onlyIfShown(has('symptoms.painCharacter', 'out_of_proportion')),
  all(painful, atLeast('symptoms.painSeverity', 6), has('symptoms.painCharacter', 'out_of_proportion')),
);

/** At least 8 of 10, or out of proportion. */
export const severePain: Condition = some(
  onlyIfShown(atLeast('symptoms.painSeverity', 8)),
  painOutOfProportion,
  all(painful, atLeast('symptoms.painSeverity', 8)),
);

/** Who does not know since when it has been there has not said that it is old, nor that it is new. */
const lasting = (...durations: NoInfer<ValueAt<'complaint.duration'>>[]): Condition =>
  some(has('complaint.duration', ...durations), unsureOf('complaint.duration'));

export const upToOneWeek: Condition = lasting('one_day', 'less_than_one_week');

export const upToFourWeeks: Condition = lasting('one_day', 'less_than_one_week', 'one_to_four_weeks');

export const upToThreeMonths: Condition = lasting(
  'one_day',
  'less_than_one_week',
  'one_to_four_weeks',
  'one_to_three_months',
);

export const fromOneWeek: Condition = lasting(
  'one_to_four_weeks',
  'one_to_three_months',
  'three_to_twelve_months',
  'more_than_one_year',
  'more_than_five_years',
  'since_childhood',
);

/** For months, but not for so long that it is a permanent feature of the skin. */
export const forMonths: Condition = lasting(
  'one_to_three_months',
  'three_to_twelve_months',
  'more_than_one_year',
);

/** For weeks up to three months. */
export const forWeeks: Condition = lasting('one_to_four_weeks', 'one_to_three_months');

export const forYears: Condition = has(
  'complaint.duration',
  'more_than_one_year',
  'more_than_five_years',
  'since_childhood',
);

export const worseningFast: Condition = has(
  'complaint.progression',
  'rapidly_worsening',
  'spreading_within_hours',
);

export const spreadingWithinHours: Condition = has('complaint.progression', 'spreading_within_hours');

export const quickOnset: Condition = has('complaint.onsetSpeed', 'minutes', 'hours');

/**
 * Recent by `isRecent`, or of today: patients who have had an eczema, hives or an ulcer for years state that age of what is new
 * in it. The speed of the onset counts where given and where the problem is not said to be at rest.
 */
export const recentOrOfToday = (isRecent: Condition): Condition =>
  some(isRecent, worseningFast, onlyIfShown(all(quickOnset, not(has('complaint.progression', 'stable')))));

/**
 * At most four weeks old, or ill anew: patients who have had an eczema or an ulcer for years state that age of an infection in it.
 * Worsening fast, fever and shivering are of now.
 */
export const recentOrWorse: Condition = some(unlessExcluded(upToFourWeeks), worseningFast);
export const recentOrIllNow: Condition = some(recentOrWorse, febrile);

/** The same for a finding that is there; progression and fever stay open only then, or every old problem would raise these questions. */
export const recentOrIllWith = (
  finding: Condition,
  isIllNow: Condition = some(worseningFast, febrile),
  isRecent: Condition = unlessExcluded(upToFourWeeks),
): Condition => some(isRecent, all(onlyIfShown(finding), isIllNow));

/**
 * New, or old and not said to be at rest. First in a key finding it saves the question about the finding; an answer given counts.
 */
export const notAtRest: Condition = some(
  unlessExcluded(upToOneWeek),
  onlyIfShown(quickOnset),
  not(has('complaint.progression', 'improving', 'stable')),
);

/** `recentOrOfToday` for a finding that is there. */
export const recentOrOfTodayWith = (finding: Condition, isRecent: Condition): Condition =>
  recentOrIllWith(finding, recentOrOfToday(isRecent), isRecent);

export const worsening: Condition = has(
  'complaint.progression',
  'slowly_worsening',
  'rapidly_worsening',
  'spreading_within_hours',
);

/** Started today, or this week within minutes or hours. */
export const suddenOnset: Condition = some(
  has('complaint.duration', 'one_day'),
  all(unlessExcluded(upToOneWeek), quickOnset),
);

/**
 * A rash by whatever name: patients call one acne, a wound or a change of colour, on dark skin above all. Only a growth and a problem of
 * hair or nails are another thing.
 */
export const rashLike: Condition = not(
  has('complaint.category', 'growth_or_mole', 'hair_loss', 'other_hair_problem', 'nail_problem'),
);

/** A mark that could be, or could become, skin cancer. */
export const markLike: Condition = has('complaint.category', 'growth_or_mole', 'pigmentary_problem');

/**
 * Pregnant, where pregnancy is possible: asked from 12 to 55 years of age, and not where the sex is male. Weeks of pregnancy
 * without a status are an answer, too, unless the sex at birth is male: gender alone does not contradict them.
 */
export const pregnant: Condition = ({ patient = {} }) => {
  const { pregnancyStatus, pregnancyWeeks, sexAtBirth, gender } = patient;
  if (pregnancyStatus !== undefined && pregnancyStatus !== 'unknown')
    return decided(pregnancyStatus === 'pregnant');
  if (pregnancyWeeks !== undefined && sexAtBirth !== 'male') return met;
  if ((sexAtBirth ?? gender) === 'male') return unmet;
  const ages = possibleAges(patient);
  const isAsked = ages === undefined || (ages.max >= 12 && ages.min <= 55);
  return isAsked ? open('patient.pregnancyStatus') : unmet;
};
