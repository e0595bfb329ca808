// What a portal does with the answer to a question, so that the next call returns the next question.
import type { NextQuestion, PartialAnamnesis } from './schema.ts';

/** What a portal stores between two questions and sends with the next call. */
export interface IntakeState {
  anamnesis: PartialAnamnesis;
  skippedQuestions: readonly string[];
}

/**
 * By `questionType`: `bool` true or false; `radio` one of `optionValues`; `checkbox` a list of them; `number` a number;
 * `text` a text; `camera` the `url` of the stored photo. Undefined leaves the question open.
 */
export type Answer = boolean | string | number | readonly string[] | undefined;

/** The state after an answer. The previous state is not changed, so that a portal can offer "back". */
export function applyAnswer(
  { anamnesis, skippedQuestions }: IntakeState,
  { questionId, questionType, fieldName }: NextQuestion,
  answer: Answer,
): IntakeState {
  const perLocation = fieldName.startsWith('locations[');
  const isNothing =
    answer === undefined || answer === '' || (perLocation && Array.isArray(answer) && answer.length === 0);
  if (isNothing) return { anamnesis, skippedQuestions: [...new Set([...skippedQuestions, questionId])] };
  return { anamnesis: withAnswer(anamnesis, questionType, fieldName, answer), skippedQuestions };
}

function withAnswer(
  anamnesis: PartialAnamnesis,
  questionType: NextQuestion['questionType'],
  fieldName: string,
  answer: Answer,
): PartialAnamnesis {
  if (fieldName === 'images') return withItems(anamnesis, 'images', [{ url: answer }]);
  if (fieldName === 'medications') return { ...anamnesis, medications: answer === true ? [{}] : [] };
  if (fieldName === 'locations[].primary') {
    return withItems(
      anamnesis,
      'locations',
      (answer as readonly string[]).map((primary) => ({ primary })),
    );
  }
  if (fieldName.startsWith('locations[') && questionType === 'checkbox') {
    return withPlaces(anamnesis, fieldName, answer as readonly string[]);
  }
  return withValue(anamnesis, keysOf(fieldName), answer) as PartialAnamnesis;
}

function withItems(
  anamnesis: PartialAnamnesis,
  list: 'images' | 'locations',
  items: readonly object[],
): PartialAnamnesis {
  return { ...anamnesis, [list]: [...(anamnesis[list] ?? []), ...items] };
}

/** The first value goes into the location in question; each further value adds a location of the same region. */
function withPlaces(
  anamnesis: PartialAnamnesis,
  fieldName: string,
  [first, ...others]: readonly string[],
): PartialAnamnesis {
  const keys = keysOf(fieldName);
  const [, index, name = ''] = keys;
  const primary = anamnesis.locations?.[Number(index)]?.primary;
  const region = name === 'secondary' && primary !== undefined ? { primary } : {};
  return withItems(
    withValue(anamnesis, keys, first) as PartialAnamnesis,
    'locations',
    others.map((value) => ({ ...region, [name]: value })),
  );
}

/** `medications[0].name` is `medications`, `0`, `name`. */
const keysOf = (path: string) => path.split(/[.[\]]+/);

/** A copy with the value at the end of the path, and with missing sections added. */
function withValue(container: unknown, [key = '', ...further]: readonly string[], value: unknown): unknown {
  if (key === '') return value;
  if (!Array.isArray(container)) {
    const section = (container ?? {}) as Record<string, unknown>;
    return { ...section, [key]: withValue(section[key], further, value) };
  }
  return container.map((item, index) => (index === Number(key) ? withValue(item, further, value) : item));
}
