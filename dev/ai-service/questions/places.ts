import type { PartialAnamnesis } from '../../../src/domain/anamnesis/anamnesis.ts';
import { findingsOf } from '../../../src/domain/red-flags/findings.ts';
import { flow } from './flow.ts';
import type { LocationItem, Question } from './question.ts';

/** One place of the anamnesis that a question fills: a question about every medicine has one in each of them. */
export interface Place {
  question: Question;
  questionId: string;
  fieldName: string;
  /** Index of the item that the question is about. */
  index?: number;
  isAnswered: boolean;
  /** Whether the question is to be asked here at all. */
  isAsked: boolean;
  isRequired: boolean;
  /** Answers that one question gave to several places count as one. */
  countsAs: string;
}

/** All places of all questions, in the order in which they are asked. */
export function placesOf(anamnesis: PartialAnamnesis): Place[] {
  const findings = findingsOf(anamnesis);
  return flow.flatMap((question) => {
    const { required, when } = question;
    const isAsked = when === undefined || when(findings);
    const isRequired = typeof required === 'function' ? required(findings) : required === true;
    return spotsOf(question, anamnesis).map((spot): Place => ({
      question,
      questionId: question.id,
      fieldName: question.field,
      isRequired,
      countsAs: question.id,
      ...spot,
      isAsked: isAsked && (spot.isAsked ?? true),
    }));
  });
}

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

/** One question for all regions, until items without a region turn up. */
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
  const [section = '', name = ''] = field.split('.');
  return ((anamnesis as Record<string, unknown>)[section] as Record<string, unknown> | undefined)?.[name];
}
