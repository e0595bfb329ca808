import type { PartialAnamnesis } from '../anamnesis/anamnesis.schemas.ts';
import { dangerQuestions } from './danger-questions.ts';
import { type Place, placesOf } from './places.ts';
import type { Question } from './question.ts';
import { safetyNeedsOf } from './safety-needs.ts';

export interface Agenda {
  /** Questions that are still open, the next one first. */
  open: readonly Place[];
  /** Share of the questionnaire that is done, 0 to 1. It never falls from one answer to the next. */
  progress: number;
}

/**
 * The open questions, given the answers so far and the skipped questions: first those that a rule of urgency emergency or
 * high needs to be excluded, then the others in their order.
 */
export function agendaOf(
  questions: readonly Question[],
  anamnesis: PartialAnamnesis,
  skippedQuestions: readonly string[],
): Agenda {
  const skipped = new Set(skippedQuestions);
  const places = placesOf(questions, anamnesis, safetyNeedsOf(anamnesis));
  const isSkipped = ({ questionId, isRequired }: Place) => !isRequired && skipped.has(questionId);
  const open = places
    .filter((place) => place.isAsked && !place.isAnswered && !isSkipped(place))
    .toSorted((a, b) => compareRanks(rankOf(a), rankOf(b)));
  return { open, progress: open.length === 0 ? 1 : progressOf(places, skipped) };
}

/**
 * Steering questions first, in their order; then the screen for danger; then category and duration; then what decides
 * about an emergency; then the rest, in the order of the questionnaire.
 */
function rankOf({ steering, question, isUrgent }: Place): readonly [tier: number, within: number] {
  if (steering !== undefined) return [0, steering];
  if (dangerQuestions.includes(question)) return [1, 0];
  if (framing.has(question.field)) return [2, 0];
  return [isUrgent ? 3 : 4, 0];
}

/** Category and duration exclude more rules than any other answer, so that fewer questions follow. */
const framing: ReadonlySet<string> = new Set(['complaint.category', 'complaint.duration']);

const compareRanks = (a: readonly [number, number], b: readonly [number, number]) =>
  a[0] - b[0] || a[1] - b[1];

/** An intake of 24 questions, the usual length, ends from 86 %. */
const pace = 12;

/**
 * From answered and skipped questions alone: an answer may open more questions than it settles, so that a share of the
 * remaining ones could fall.
 */
function progressOf(places: readonly Place[], skipped: ReadonlySet<string>): number {
  const answered = new Set(places.filter(({ isAnswered }) => isAnswered).map(({ countsAs }) => countsAs));
  const skippedIds = new Set(places.map(({ questionId }) => questionId).filter((id) => skipped.has(id)));
  return 1 - Math.exp(-(answered.size + skippedIds.size) / pace);
}
