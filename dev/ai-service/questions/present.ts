import type { PartialAnamnesis } from '../../../src/domain/anamnesis/anamnesis.ts';
import { findContradictions } from '../../../src/domain/anamnesis/cross-field-checks.ts';
import { LocationPrimary, LocationSecondary } from '../../../src/domain/anamnesis/enums/locations.ts';
import type { Language } from '../../../src/domain/anamnesis/enums/patient.ts';
import { MAX_LOCATIONS } from '../../../src/domain/anamnesis/locations.ts';
import type { NextQuestion } from '../../../src/domain/questions/next-question.ts';
import { fillText, isolated, loadMessages } from '../../../src/domain/texts/messages.ts';
import { type Answer, applyAnswer } from '../../client/src/apply-answer.ts';
import { areLabelsDrafted, labelOf, yesAndNo } from '../messages/labels.ts';
import ar from '../messages/questions/ar.json' with { type: 'json' };
import en from '../messages/questions/en.json' with { type: 'json' };
import es from '../messages/questions/es.json' with { type: 'json' };
import he from '../messages/questions/he.json' with { type: 'json' };
import type { Place } from './places.ts';

const texts = loadMessages<typeof en>({ en, he, ar, es });

export const areQuestionsDrafted = (language: Language) =>
  texts.isMachineDrafted(language) || areLabelsDrafted(language);

/** A question in words, with what a portal needs to show it and to check its answer. */
export function present(place: Place, anamnesis: PartialAnamnesis, language: Language): NextQuestion {
  const { question, questionId, fieldName, isRequired } = place;
  const message: { text: string; help?: string; unit?: string } = texts.in(language)[question.id];
  const { help, unit } = message;
  const bare: NextQuestion = {
    questionId,
    questionText: fillText(message.text, { item: itemOf(place, anamnesis, language) }),
    questionType: question.type,
    fieldName,
    options: [],
    isComplete: false,
    optionValues: [],
    required: isRequired,
    skippable: !isRequired,
    ...(help !== undefined && { help }),
    ...(unit !== undefined && { unit }),
  };
  const accepts = (answer: Answer) => fits(anamnesis, bare, answer);
  if (question.type === 'bool') return { ...bare, options: yesAndNo(language), optionValues: [true, false] };
  if (question.range !== undefined) return { ...bare, ...rangeOf(question.range, accepts) };
  const { options: enumeration } = question;
  if (enumeration === undefined) return bare;
  const isCheckbox = question.type === 'checkbox';
  const optionValues = enumeration.options
    .map(String)
    .filter((value) => accepts(isCheckbox ? [value] : value));
  return {
    ...bare,
    options: optionValues.map((value) => labelOf(enumeration, value, language)),
    optionValues,
    ...(isCheckbox && choicesOf(place, anamnesis, optionValues)),
  };
}

/** Never is an answer offered that the anamnesis would be refused for. Photos play no part in that here. */
function fits(
  { images: _photos, ...anamnesis }: PartialAnamnesis,
  question: NextQuestion,
  answer: Answer,
): boolean {
  const { anamnesis: changed } = applyAnswer({ anamnesis, skippedQuestions: [] }, question, answer);
  return findContradictions(changed, { imageUrlHosts: [] }).length === 0;
}

/** Whole numbers are narrowed down to those that fit the other answers. */
function rangeOf(
  range: NonNullable<Place['question']['range']>,
  accepts: (answer: Answer) => boolean,
): Pick<NextQuestion, 'min' | 'max' | 'step'> {
  const { min = 0, max, step } = range;
  if (step !== 1) return range;
  const fitting = Array.from({ length: max - min + 1 }, (_, offset) => min + offset).filter(accepts);
  return { min: fitting[0] ?? min, max: fitting.at(-1) ?? max, step };
}

/** How many may be chosen: an empty list is an answer only where nothing else says "none". */
function choicesOf(
  { fieldName, index, isRequired }: Place,
  { locations = [] }: PartialAnamnesis,
  values: readonly string[],
): Pick<NextQuestion, 'min' | 'max'> {
  const isPlace = fieldName.startsWith('locations[');
  const room = MAX_LOCATIONS - locations.length + (index === undefined ? 0 : 1);
  return {
    min: isRequired || isPlace || values.includes('none') ? 1 : 0,
    max: isPlace ? Math.min(values.length, room) : values.length,
  };
}

/** What a question in a loop is about: the place on the body, or the name of the medicine. */
function itemOf({ fieldName, index }: Place, anamnesis: PartialAnamnesis, language: Language): string {
  if (index === undefined) return '';
  if (fieldName.startsWith('medications')) return isolated(anamnesis.medications?.[index]?.name ?? '…');
  const { primary, secondary } = anamnesis.locations?.[index] ?? {};
  if (secondary !== undefined) return labelOf(LocationSecondary, secondary, language);
  return primary === undefined ? '…' : labelOf(LocationPrimary, primary, language);
}
