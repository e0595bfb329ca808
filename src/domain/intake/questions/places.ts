import type { PartialAnamnesis } from '../anamnesis/anamnesis.schemas.ts';
import type { LocationItem, Question } from './question.ts';
import type { SafetyNeeds } from './safety-needs.ts';

/** One place of the anamnesis that a question fills: a question about every medicine has one in each of them. */
export interface Place {
  question: Question;
  questionId: string;
  fieldName: string;
  /** Index of the item that the question is about. */
  index?: number;
  isAnswered: boolean;
  /** Whether the question applies here. */
  isAsked: boolean;
  isRequired: boolean;
  /** Rank among the answers that a rule with a present key finding needs to be excluded; 0 is asked first. */
  steering?: number;
  /** A rule of urgency emergency asks for it next. */
  isUrgent: boolean;
  /** Answers that one question gave to several places count as one. */
  countsAs: string;
}

/** All places of all questions, in the order in which they are asked. */
export function placesOf(
  questions: readonly Question[],
  anamnesis: PartialAnamnesis,
  needs: SafetyNeeds,
): Place[] {
  return questions.flatMap((question) => {
    const { required, when, whenAt, safety, field } = question;
    const steering = needs.steering.indexOf(field);
    const isSteering = steering !== -1;
    const isPlausible = when === undefined || when(anamnesis).value === true;
    // `whenAt` narrows a question to some locations; steering must not widen it.
    const isAsked =
      (isSteering && whenAt === undefined) || (isPlausible && (safety !== true || needs.open.has(field)));
    const isRequired =
      required === true ||
      (required !== undefined && required(anamnesis).value === true) ||
      ((isSteering || safety === true) && canBeUnsure(question));
    return spotsOf(question, anamnesis).map((spot): Place => ({
      question,
      questionId: question.id,
      fieldName: field,
      isRequired,
      countsAs: question.id,
      isUrgent: needs.emergency.has(field),
      ...spot,
      isAsked: isAsked && (spot.isAsked ?? true),
      ...(isSteering && { steering }),
    }));
  });
}

/** Only questions that every patient can answer, or that offer "not sure", can be required. */
function canBeUnsure({ type, options, field }: Question): boolean {
  if (known.has(field) || type === 'bool') return true;
  const values: readonly unknown[] = options?.options ?? [];
  return values.some((value) => unsureValues.has(value));
}

const known: ReadonlySet<string> = new Set([
  'symptoms.painSeverity',
  'locations[].secondary',
  'medications[].name',
]);

const unsureValues: ReadonlySet<unknown> = new Set([
  'unknown',
  'not_sure',
  'not_tested',
  'prefer_not_to_say',
]);

type Spot = Pick<Place, 'isAnswered'> & Partial<Place>;

function spotsOf(question: Question, anamnesis: PartialAnamnesis): Spot[] {
  const { field } = question;
  if (field === 'images') return photoSpots(question, anamnesis);
  if (field === 'medications') return [{ isAnswered: anamnesis.medications !== undefined }];
  if (field === 'locations[].primary') return regionSpots(question, anamnesis);
  if (field === 'patient.ageYears') {
    const { ageYears, ageGroup } = anamnesis.patient ?? {};
    return [{ isAnswered: ageYears !== undefined || ageGroup !== undefined }];
  }
  const [list, name = ''] = field.split('[].');
  if (list === 'locations' || list === 'medications') {
    return (anamnesis[list] ?? []).map((item, index) => itemSpot(question, list, name, item, index));
  }
  return [{ isAnswered: valueAt(anamnesis, field) !== undefined }];
}

/** The close-up is the first photo, the overview the second. */
function photoSpots({ id }: Question, { images = [] }: PartialAnamnesis): Spot[] {
  if (id !== 'q_photo_close') {
    const isUsable = images[0]?.quality?.isValid !== false;
    return [{ isAnswered: images.length > 1, isAsked: isUsable }];
  }
  const withoutUrl = images.flatMap(({ url }, index) => (url === undefined ? [index] : []));
  if (withoutUrl.length === 0) return [{ isAnswered: images.length > 0 }];
  return withoutUrl.map((index) => atItem(id, 'images', 'url', index));
}

/** One question for all regions, unless there are items without a region. */
function regionSpots({ id }: Question, { locations = [] }: PartialAnamnesis): Spot[] {
  const withoutRegion = locations.flatMap(({ primary }, index) => (primary === undefined ? [index] : []));
  if (withoutRegion.length === 0) return [{ isAnswered: locations.length > 0 }];
  return withoutRegion.map((index) => atItem(id, 'locations', 'primary', index));
}

function atItem(id: string, list: string, name: string, index: number): Spot {
  const questionId = `${id}[${index}]`;
  return {
    questionId,
    fieldName: `${list}[${index}].${name}`,
    index,
    isAnswered: false,
    countsAs: questionId,
  };
}

function itemSpot({ id, whenAt }: Question, list: string, name: string, item: object, index: number): Spot {
  const spot = { ...atItem(id, list, name, index), isAnswered: Object.hasOwn(item, name) };
  if (whenAt === undefined) return spot;
  const location = item as LocationItem;
  return {
    ...spot,
    isAsked: whenAt(location),
    // Exact places of one region were chosen together.
    ...(name === 'secondary' && spot.isAnswered && { countsAs: `${id} ${location.primary}` }),
  };
}

function valueAt(anamnesis: PartialAnamnesis, field: string): unknown {
  const [section = '', name] = field.split('.');
  const value = (anamnesis as Record<string, unknown>)[section];
  return name === undefined ? value : (value as Record<string, unknown> | undefined)?.[name];
}
