// The recipe that a portal follows: what to do with the answer to a question, so that the next call asks the next one.
import type { PartialAnamnesis } from '../../src/domain/anamnesis/anamnesis.ts';
import type { NextQuestion } from '../../src/domain/questions/next-question.ts';

/** What a portal keeps between two questions and sends with the next call. */
export interface IntakeState {
  anamnesis: PartialAnamnesis;
  skippedQuestions: readonly string[];
}

/**
 * By `questionType`: `bool` true or false; `radio` one of `optionValues`; `checkbox` a list of them; `number` a number;
 * `text` a text; `camera` the `url` of the stored photo. Undefined leaves the question open.
 */
export type Answer = boolean | string | number | readonly string[] | undefined;

/** The state after an answer. The former state stays as it was, so that a portal can offer "back". */
export function applyAnswer(
  { anamnesis, skippedQuestions }: IntakeState,
  { questionId, questionType, fieldName }: NextQuestion,
  answer: Answer,
): IntakeState {
  const perLocation = fieldName.startsWith('locations[');
  const isNothing = answer === undefined || answer === '' || (perLocation && isEmptyList(answer));
  if (isNothing) return { anamnesis, skippedQuestions: [...new Set([...skippedQuestions, questionId])] };
  const changed = structuredClone(anamnesis) as Json;
  if (fieldName === 'images') appendTo(changed, 'images', { url: answer });
  else if (fieldName === 'medications') changed['medications'] = answer === true ? [{}] : [];
  else if (fieldName === 'locations[].primary') {
    for (const primary of answer as readonly string[]) appendTo(changed, 'locations', { primary });
  } else if (perLocation && questionType === 'checkbox')
    spread(changed, fieldName, answer as readonly string[]);
  else setAt(changed, fieldName, answer);
  return { anamnesis: changed as PartialAnamnesis, skippedQuestions };
}

type Json = Record<string, unknown>;

const isEmptyList = (answer: Answer) => Array.isArray(answer) && answer.length === 0;

function appendTo(anamnesis: Json, list: string, item: Json): void {
  anamnesis[list] = [...((anamnesis[list] ?? []) as Json[]), item];
}

/** The first value goes on the location that was asked about; each further one makes a location of the same region. */
function spread(anamnesis: Json, fieldName: string, [first, ...others]: readonly string[]): void {
  const [, index, name = ''] = /^locations\[(\d+)\]\.(\w+)$/.exec(fieldName) ?? [];
  const asked = (anamnesis['locations'] as Json[])[Number(index)] ?? {};
  setAt(anamnesis, fieldName, first);
  const region = name === 'primary' ? {} : { primary: asked['primary'] };
  for (const value of others) appendTo(anamnesis, 'locations', { ...region, [name]: value });
}

/** Sets what a dotted path names: `complaint.duration`, `medications[0].name`. Sections that are not there are made. */
function setAt(anamnesis: Json, path: string, value: unknown): void {
  const keys = path.split(/[.[\]]+/);
  const last = keys.pop() ?? '';
  let section = anamnesis;
  for (const key of keys) section = (section[key] ??= {}) as Json;
  section[last] = value;
}
