import { possibleAges } from '../anamnesis/age.ts';
import type { PartialAnamnesis } from '../anamnesis/anamnesis.ts';
import { BodySurfaceExtent, Size } from '../anamnesis/enums/lesion-appearance.ts';
import type { LocationSecondary } from '../anamnesis/enums/locations.ts';
import type { MedicationStart } from '../anamnesis/enums/medications.ts';

type Section<Name extends keyof PartialAnamnesis> = NonNullable<PartialAnamnesis[Name]>;

/**
 * What the rules ask of an anamnesis, complete or not. A question that was not answered answers no condition with
 * yes: not the positive ones, and not the negative ones either.
 */
export interface Findings {
  patient: Section<'patient'>;
  complaint: Section<'complaint'>;
  lesion: Section<'lesion'>;
  symptoms: Section<'symptoms'>;
  history: Section<'history'>;
  exposures: Section<'exposures'>;
  /** Fever is reported, or at least 38 °C was measured. */
  febrile: boolean;
  /** A medicine was started in the 8 weeks before the problem. */
  newDrug: boolean;
  /** A medicine was started at one of these times. */
  startedMedicine: (...times: MedicationStart[]) => boolean;
  /** The problem is at one of these places. */
  isAt: (...places: LocationSecondary[]) => boolean;
  /** The patient can be `years` or older. A band counts when any age in it does; an unknown age never does. */
  ageAtLeast: (years: number) => boolean;
  /** The patient can be younger than `years`. A band counts when any age in it does; an unknown age never does. */
  ageBelow: (years: number) => boolean;
  extentAtLeast: (extent: BodySurfaceExtent) => boolean;
  sizeAtLeast: (size: Size) => boolean;
}

export function findingsOf(anamnesis: PartialAnamnesis): Findings {
  const { patient = {}, complaint = {}, lesion = {}, symptoms = {} } = anamnesis;
  const { history = {}, exposures = {}, locations = [], medications = [] } = anamnesis;
  const ages = possibleAges(patient);
  const startedMedicine = (...times: MedicationStart[]) =>
    medications.some(({ startedRelative }) => any(startedRelative, ...times));
  return {
    patient,
    complaint,
    lesion,
    symptoms,
    history,
    exposures,
    febrile: any(symptoms.systemic, 'fever') || atLeast(symptoms.temperatureC, 38),
    newDrug: startedMedicine(
      'before_problem_under_72_hours',
      'before_problem_3_to_28_days',
      'before_problem_4_to_8_weeks',
    ),
    startedMedicine,
    isAt: (...places) => locations.some(({ secondary }) => any(secondary, ...places)),
    ageAtLeast: (years) => ages !== undefined && ages.max >= years,
    ageBelow: (years) => ages !== undefined && ages.min < years,
    extentAtLeast: (extent) => isInOrderFrom(extent, lesion.extent, extentsInOrder),
    sizeAtLeast: (size) => isInOrderFrom(size, lesion.size, Size.options),
  };
}

/** The answer is, or a multi-select has, one of the values. */
export function any<Value extends string>(
  answer: Value | readonly Value[] | undefined,
  ...values: NoInfer<Value>[]
): boolean {
  if (answer === undefined) return false;
  return typeof answer === 'string' ? values.includes(answer) : answer.some((item) => values.includes(item));
}

/** The question was answered, by none of the values. */
export function noneOf<Value extends string>(
  answer: Value | readonly Value[] | undefined,
  ...values: NoInfer<Value>[]
): boolean {
  return answer !== undefined && !any(answer, ...values);
}

export function atLeast(answer: number | undefined, limit: number): boolean {
  return answer !== undefined && answer >= limit;
}

const extentsInOrder = BodySurfaceExtent.options.filter((extent) => extent !== 'unknown');

function isInOrderFrom<Value extends string>(
  least: Value,
  answer: Value | undefined,
  order: readonly Value[],
): boolean {
  return answer !== undefined && order.indexOf(answer) >= order.indexOf(least);
}
