import { possibleAges } from '../../../src/domain/intake/anamnesis/age.ts';
import type { PartialAnamnesis as Answers } from '../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import type { Answer, NextQuestion, PartialAnamnesis } from '../../packages/client/src/index.ts';
import type { Respondent } from '../intake/interview.ts';
import type { Vignette } from './vignette.ts';

/** Answers every question that the vignette covers and leaves the others open where possible. */
export function willingPatient({ anamnesis }: Pick<Vignette, 'anamnesis'>): Respondent {
  return {
    answerTo: (question, soFar) =>
      knownAnswer(question, anamnesis as Answers, soFar) ??
      (question.skippable === true ? undefined : answerOfTheUnsure(question)),
    takesPhoto: () => true,
  };
}

/** Leaves every optional question open. */
export function skippingPatient(vignette: Pick<Vignette, 'anamnesis'>): Respondent {
  const { answerTo } = willingPatient(vignette);
  return {
    answerTo: (question, soFar) => (question.skippable === true ? undefined : answerTo(question, soFar)),
    takesPhoto: ({ skippable }) => skippable !== true,
  };
}

/** The vignette's answer, as far as the question offers it; undefined without one. */
function knownAnswer(question: NextQuestion, vignette: Answers, soFar: PartialAnamnesis): Answer {
  const known = lookUp(question.fieldName, vignette, soFar as Answers);
  if (known === undefined) return undefined;
  const offered: readonly unknown[] = question.optionValues ?? [];
  switch (question.questionType) {
    case 'checkbox': {
      const chosen = (Array.isArray(known) ? known : [known]).filter((value) => offered.includes(value));
      if (chosen.length >= (question.min ?? 0)) return chosen.slice(0, question.max) as string[];
      return chosen.length === 0 && offered.includes('none') ? ['none'] : undefined;
    }
    case 'radio':
      return offered.includes(known) ? (known as string) : undefined;
    case 'number':
      return inRange(Number(known), question);
    default:
      return known as Answer;
  }
}

function lookUp(fieldName: string, vignette: Answers, soFar: Answers): unknown {
  const { locations = [], medications, patient } = vignette;
  if (fieldName === 'medications') return medications && medications.length > 0;
  if (fieldName === 'locations[].primary') return [...new Set(locations.map(({ primary }) => primary))];
  if (fieldName === 'patient.ageYears') return patient?.ageYears ?? middleOf(possibleAges(patient));
  const [, list, index = '', name = ''] = /^(locations|medications)\[(\d+)\]\.(\w+)$/.exec(fieldName) ?? [];
  if (list === 'medications')
    return (medications?.[Number(index)] as Record<string, unknown> | undefined)?.[name];
  if (list === 'locations') return ofLocation(name, locations, soFar.locations?.[Number(index)]);
  return fieldName
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown>)?.[key], vignette);
}

type Place = NonNullable<Answers['locations']>[number];

/** The intake numbers the locations in its own order, so they are matched by content. */
function ofLocation(name: string, locations: readonly Place[], place: Place = {}): unknown {
  const ofRegion = locations.filter(({ primary }) => primary === place.primary);
  if (name === 'secondary') return nonEmpty(ofRegion.flatMap(({ secondary }) => secondary ?? []));
  const exact = ofRegion.find(({ secondary }) => secondary === place.secondary) ?? ofRegion[0];
  return (exact as Record<string, unknown> | undefined)?.[name];
}

const nonEmpty = (values: readonly string[]) => (values.length === 0 ? undefined : [...new Set(values)]);

const middleOf = (ages: { min: number; max: number } | undefined) =>
  ages && Math.floor((ages.min + ages.max) / 2);

/** In order of preference over a made-up answer. */
const unsureValues = ['not_sure', 'unknown', 'not_tested', 'prefer_not_to_say', 'not_applicable', 'none'];

/** The answer to a required question that the vignette leaves open: "not sure" where offered, else nothing alarming. */
function answerOfTheUnsure(question: NextQuestion): Answer {
  const { questionType, fieldName, optionValues = [] } = question;
  const unsure = unsureValues.find((value) => optionValues.includes(value));
  switch (questionType) {
    case 'bool':
      return false;
    case 'number':
      return inRange(unalarming[fieldName] ?? 0, question);
    case 'checkbox': {
      if (unsure !== undefined) return [unsure];
      return optionValues.slice(0, question.min ?? 0).map(String);
    }
    case 'radio':
      return unsure ?? String(optionValues.includes('other') ? 'other' : (optionValues.at(-1) ?? ''));
    default:
      return '?';
  }
}

/** Questions whose smallest number would itself be a danger. */
const unalarming: Readonly<Record<string, number>> = { 'symptoms.temperatureC': 37, 'patient.ageYears': 40 };

function inRange(value: number, { min = value, max = value }: NextQuestion): number {
  return Math.min(Math.max(value, min), max);
}
