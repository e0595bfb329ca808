import type { PartialAnamnesis } from '../../../src/domain/anamnesis/anamnesis.ts';
import { flow } from './flow.ts';
import { type Place, placesOf } from './places.ts';

/** Nobody is asked more, except for what is required and what red flags read. */
const patience = 35;

export interface Agenda {
  /** What is still to be asked, the next one first. */
  open: readonly Place[];
  /** 0 to 1: how much of the questionnaire is behind the patient. */
  progress: number;
}

/** What is still to be asked, given the answers so far and the questions that were left open. */
export function agendaOf(anamnesis: PartialAnamnesis, skippedQuestions: readonly string[]): Agenda {
  const skipped = new Set(skippedQuestions);
  const places = placesOf(anamnesis);
  const isSkipped = ({ questionId, isRequired }: Place) => !isRequired && skipped.has(questionId);
  const touched = places.filter((place) => place.isAnswered || isSkipped(place));
  const isTired = new Set(touched.map(({ countsAs }) => countsAs)).size >= patience;
  const open = places.filter(
    (place) =>
      place.isAsked &&
      !place.isAnswered &&
      !isSkipped(place) &&
      (!isTired || place.isRequired || place.question.readByRedFlags === true),
  );
  return { open, progress: open.length === 0 ? 1 : progressOf(places, open, touched) };
}

/** Often known from the patient's profile before the first question, so that they say nothing about how far it is. */
const ofProfile = new Set<string>(['q_age', 'q_gender']);

/**
 * The share of rows that are settled, up to the furthest that was reached: an answer settles one row and opens at most
 * one before it, so that the share never falls.
 */
function progressOf(places: readonly Place[], open: readonly Place[], touched: readonly Place[]): number {
  const rowOf = new Map(flow.map(({ id }, row) => [id, row]));
  const reached = [...open.slice(0, 1), ...touched.filter(({ question }) => !ofProfile.has(question.id))];
  const furthest = Math.max(...reached.map(({ question }) => rowOf.get(question.id) ?? 0));
  const countByRow = (of: readonly Place[]) => Map.groupBy(of, ({ question }) => question.id);
  const all = countByRow(places);
  const left = countByRow(open);
  const settled = flow.slice(0, furthest + 1).map(({ id }) => {
    const inRow = all.get(id)?.length ?? 0;
    return inRow === 0 ? 1 : 1 - (left.get(id)?.length ?? 0) / inRow;
  });
  return settled.reduce((sum, share) => sum + share, 0) / flow.length;
}
