import type { Answer } from 'dermagate-client';
import type { AskedQuestion } from '../../gateway/asked-question.ts';
import { checkAnswer } from './check-answer.ts';
import { entryOf } from './entry-of.ts';
import { answerIn, foundStep, isContained } from './found-answers.ts';
import { type Intake, type IntakeEvent, stateOf, type Step } from './intake.ts';

/**
 * The answer from before a change, or of a draft that is continued, that still answers this question; undefined where
 * the patient must answer.
 */
export function answerToRepeat(intake: Intake, question: AskedQuestion): Step | undefined {
  const { ahead = [] } = intake;
  return (
    ahead.find((step) => asksTheSame(question, step) && fits(question, step)) ?? stepOfDraft(intake, question)
  );
}

/** A question without an answer was skipped where the draft has further answers. */
function stepOfDraft(intake: Intake, question: AskedQuestion): Step | undefined {
  if (question.isComplete || !isContinuing(intake)) return undefined;
  const { found = {} } = intake;
  const { questionId, questionType, fieldName } = question;
  const skipped: Step = { questionId, questionType, fieldName };
  const step = foundStep(found, stateOf(intake).anamnesis, question) ?? skipped;
  return fits(question, step) ? step : undefined;
}

/** Whether answers of the draft wait for their questions. */
export const isContinuing = (intake: Intake): boolean =>
  intake.found !== undefined && !isContained(intake.found, stateOf(intake).anamnesis);

/**
 * Whether the patient answers otherwise than the draft that is continued. Its later answers may be to questions that are
 * never asked now; waiting for these would skip every optional question until the end.
 */
export function contradictsDraft(intake: Intake, event: IntakeEvent): boolean {
  const { found } = intake;
  if (found === undefined || (event.type !== 'answered' && event.type !== 'skipped')) return false;
  const before = answerIn(found, stateOf(intake).anamnesis, event.question);
  const now = event.type === 'answered' ? event.answer : undefined;
  return before !== undefined && valuesOf(before) !== valuesOf(now);
}

/** The order of chosen options means nothing. */
const valuesOf = (answer: Answer): string =>
  JSON.stringify(
    [answer]
      .flat()
      .map(String)
      .toSorted((a, b) => a.localeCompare(b)),
  );

/** In a loop the same id can mean another location or medicine, which only the question's text names. */
function asksTheSame(
  { questionId, questionType, fieldName, questionText, language }: AskedQuestion,
  step: Step,
) {
  const isSame =
    step.questionId === questionId && step.questionType === questionType && step.fieldName === fieldName;
  if (!isSame || !questionId.endsWith(']')) return isSame;
  return step.wording?.question === questionText && step.wording.language === language;
}

/** Options and bounds depend on the other answers. */
function fits(question: AskedQuestion, step: Step): boolean {
  if (step.answer === undefined) return question.skippable === true;
  if (question.questionType === 'camera') return true;
  const entry = entryOf(question, step);
  const isWhole = [step.answer].flat().length === [entry ?? []].flat().length;
  return isWhole && checkAnswer(question, entry).ok;
}
