// The answers that an anamnesis has: how a draft of another device, or a case, becomes steps again.
import type { Answer, NextQuestion, PartialAnamnesis } from 'dermagate-client';
import { asQuestion, type Step } from './intake.ts';

type Asked = Pick<NextQuestion, 'questionId' | 'questionType' | 'fieldName'>;

/**
 * The answer that leads from `now` to `found`; the counterpart of the client's `applyAnswer`.
 * @returns undefined where `found` has none.
 */
export function answerIn(
  found: PartialAnamnesis,
  now: PartialAnamnesis,
  { fieldName, questionType }: Asked,
): Answer {
  if (fieldName === 'images') return found.images?.[now.images?.length ?? 0]?.url;
  if (fieldName === 'medications')
    return found.medications === undefined ? undefined : found.medications.length > 0;
  if (fieldName === 'locations[].primary') return primariesOf(found);
  const value = valueAt(found, keysOf(fieldName));
  if (value === undefined || value === null) return undefined;
  if (fieldName.startsWith('locations[') && questionType === 'checkbox')
    return [value as string, ...addedPlaces(found, now, keysOf(fieldName))];
  return value as Answer;
}

/** Each region once: what was more precise has been added as further places of the same region. */
function primariesOf({ locations = [] }: PartialAnamnesis): Answer {
  const regions = [...new Set(locations.flatMap(({ primary }) => primary ?? []))];
  return regions.length === 0 ? undefined : regions;
}

/** The places that this answer has added behind those that there are now. */
function addedPlaces(
  { locations = [] }: PartialAnamnesis,
  now: PartialAnamnesis,
  [, index, name = '']: readonly string[],
): string[] {
  if (name !== 'secondary') return [];
  const region = locations[Number(index)]?.primary;
  const further = locations.slice(now.locations?.length ?? 0);
  const end = further.findIndex(({ primary, secondary }) => primary !== region || secondary === undefined);
  return further.slice(0, end === -1 ? undefined : end).flatMap(({ secondary }) => secondary ?? []);
}

const keysOf = (path: string) => path.split(/[.[\]]+/).filter((key) => key !== '');

const valueAt = (container: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], container);

/** What the gateway completes by itself, or notes of a photo: no answer of a patient. */
const completed = /^(?:reporter|language|schemaVersion|patient\.age\w+|images\.\d+\.(?!url)\w+.*)$/;

/** Whether every answer of `found` is among those of `now`. */
export function isContained(found: PartialAnamnesis, now: PartialAnamnesis): boolean {
  const there = new Map(leavesOf(now));
  return leavesOf(found).every(([path, value]) =>
    there.has(path) ? completed.test(path) || there.get(path) === value : completed.test(path),
  );
}

/** Lists are compared as sets: the order of chosen options means nothing. */
function leavesOf(value: unknown, path = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[path, JSON.stringify(value)]];
  const isPlain = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  if (isPlain) return [[path, JSON.stringify(value.map(String).toSorted((a, b) => a.localeCompare(b)))]];
  return Object.entries(value)
    .filter(([, child]) => child !== undefined)
    .flatMap(([key, child]: [string, unknown]) => leavesOf(child, path === '' ? key : `${path}.${key}`));
}

/** The step that answers this question as the anamnesis does; with the verdict on a photo, where there is one. */
export function foundStep(found: PartialAnamnesis, now: PartialAnamnesis, question: Asked): Step | undefined {
  const answer = answerIn(found, now, asQuestion(question));
  if (answer === undefined) return undefined;
  const { questionId, questionType, fieldName } = question;
  const quality = fieldName === 'images' ? found.images?.[now.images?.length ?? 0]?.quality : undefined;
  const verdict =
    quality?.isValid === undefined || quality.score === undefined
      ? {}
      : { quality: { isValid: quality.isValid, score: quality.score } };
  return { questionId, questionType, fieldName, answer, ...verdict };
}
