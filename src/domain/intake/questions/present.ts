import type { PartialAnamnesis } from '../anamnesis/anamnesis.schemas.ts';
import { findContradictions } from '../anamnesis/cross-field-checks.ts';
import { LocationPrimary, LocationSecondary } from '../anamnesis/vocabulary/locations.ts';
import type { Language } from '../../../contract/language.ts';
import { areLabelsDrafted, labelOf, yesAndNo } from '../anamnesis/labels.ts';
import { MAX_LOCATIONS } from '../anamnesis/form/locations.ts';
import { fillText, isolated } from '../../platform/texts/messages.ts';
import type { NextQuestion } from './question.schemas.ts';
import type { Place } from './places.ts';
import type { Questionnaire } from './question.ts';

/** A question with all that a client needs to show it and to check its answer. */
export function present(
  place: Place,
  anamnesis: PartialAnamnesis,
  questionnaire: Questionnaire,
  language: Language,
): NextQuestion {
  const { question, questionId, fieldName, isRequired } = place;
  const { text, help, unit } = questionnaire.textOf(question.id, language);
  const isDrafted = questionnaire.isDrafted(language) || areLabelsDrafted(language);
  const bare: NextQuestion = {
    questionId,
    questionText: withItem(text, itemOf(place, anamnesis, language)),
    questionType: question.type,
    fieldName,
    options: [],
    isComplete: false,
    optionValues: [],
    required: isRequired,
    skippable: !isRequired,
    ...((question.safety === true || place.steering !== undefined) && { safety: true }),
    ...(help !== undefined && { help }),
    ...(unit !== undefined && { unit }),
    ...(isDrafted && { machineDrafted: true }),
  };
  const accepts = (answer: unknown) => fits(anamnesis, fieldName, answer);
  if (question.type === 'bool') return { ...bare, options: yesAndNo(language), optionValues: [true, false] };
  if (question.range !== undefined) return { ...bare, ...rangeOf(question.range, accepts) };
  const { options: enumeration, without = [] } = question;
  if (enumeration === undefined) return bare;
  const isCheckbox = question.type === 'checkbox';
  const optionValues = withUnsureValuesLast(enumeration.options.map(String)).filter(
    (value) => !without.includes(value) && accepts(isCheckbox && !isItem(fieldName) ? [value] : value),
  );
  return {
    ...bare,
    options: optionValues.map((value) => labelOf(enumeration, value, language)),
    optionValues,
    ...(isCheckbox && choicesOf(place, anamnesis, optionValues)),
  };
}

/** Values for "nothing" and "do not know" come last. */
function withUnsureValuesLast(values: readonly string[]): string[] {
  const last = ['none', 'not_applicable', 'not_tested', 'not_sure', 'unknown', 'prefer_not_to_say'];
  return [
    ...values.filter((value) => !last.includes(value)),
    ...last.filter((value) => values.includes(value)),
  ];
}

const isItem = (fieldName: string) => fieldName.startsWith('locations[');

/** Whether the anamnesis would accept the answer. Photos do not matter here. */
function fits(
  { images: _photos, ...anamnesis }: PartialAnamnesis,
  fieldName: string,
  answer: unknown,
): boolean {
  // A question for all regions at once names no item, and no region contradicts another.
  if (fieldName.includes('[]')) return true;
  const changed = withValue(anamnesis, fieldName.split(/[.[\]]+/), answer) as PartialAnamnesis;
  return findContradictions(changed, { imageUrlHosts: [] }).length === 0;
}

/** A copy with the value at the end of the path; unchanged where the path names no item of a list. */
function withValue(container: unknown, [key = '', ...further]: readonly string[], value: unknown): unknown {
  if (key === '') return value;
  if (Array.isArray(container)) {
    return container.map((item, index) => (index === Number(key) ? withValue(item, further, value) : item));
  }
  const section = (container ?? {}) as Record<string, unknown>;
  return { ...section, [key]: withValue(section[key], further, value) };
}

/** Whole numbers are limited to those that fit the other answers. */
function rangeOf(
  range: NonNullable<Place['question']['range']>,
  accepts: (answer: number) => boolean,
): Pick<NextQuestion, 'min' | 'max' | 'step'> {
  const { min = 0, max, step } = range;
  if (step !== 1) return range;
  const fitting = Array.from({ length: max - min + 1 }, (_, offset) => min + offset).filter(accepts);
  return { min: fitting[0] ?? min, max: fitting.at(-1) ?? max, step };
}

/** How many options may be chosen: an empty list is an answer only where no option means "none". */
function choicesOf(
  { fieldName, index, isRequired }: Place,
  { locations = [] }: PartialAnamnesis,
  values: readonly string[],
): Pick<NextQuestion, 'min' | 'max'> {
  const isPlace = isItem(fieldName);
  const room = MAX_LOCATIONS - locations.length + (index === undefined ? 0 : 1);
  return {
    min: isRequired || isPlace || values.includes('none') ? 1 : 0,
    max: isPlace ? Math.min(values.length, room) : values.length,
  };
}

/** The item stands at the end, after a dash; a medicine that has no name yet is not mentioned. */
function withItem(text: string, item: string): string {
  return fillText(item === '' ? text.replace(/ – \{item\}$/, '') : text, { item });
}

/** The subject of a question in a loop: the place on the body, or the name of the medicine. */
function itemOf({ fieldName, index }: Place, anamnesis: PartialAnamnesis, language: Language): string {
  if (index === undefined) return '';
  if (fieldName.startsWith('medications')) {
    const { name } = anamnesis.medications?.[index] ?? {};
    return name === undefined ? '' : isolated(name);
  }
  const { primary, secondary } = anamnesis.locations?.[index] ?? {};
  if (secondary !== undefined) return labelOf(LocationSecondary, secondary, language);
  return primary === undefined ? '…' : labelOf(LocationPrimary, primary, language);
}
