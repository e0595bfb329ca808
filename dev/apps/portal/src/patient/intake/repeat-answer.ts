import type { AskedQuestion } from '../../gateway/asked-question.ts';
import { checkAnswer } from './check-answer.ts';
import { entryOf } from './entry-of.ts';
import type { Intake, Step } from './intake.ts';

/** The answer from before a change that still answers this question; undefined where the patient must answer. */
export function answerToRepeat({ ahead = [] }: Intake, question: AskedQuestion): Step | undefined {
  return ahead.find((step) => asksTheSame(question, step) && fits(question, step));
}

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
