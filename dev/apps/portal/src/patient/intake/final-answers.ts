// What the answers are in the end, and what they leave unknown.
import { type Intake, isAnswered, stateOf, type Step } from './intake.ts';

/** Every question once; of a question that was skipped and asked again, the later answer. */
export const finalSteps = ({ steps }: Pick<Intake, 'steps'>): Step[] =>
  steps.filter(
    (step, index) =>
      isAnswered(step) ||
      !steps.some((other, at) => other.questionId === step.questionId && (isAnswered(other) || at > index)),
  );

/** The number of unanswered questions whose answer a safety rule reads. */
export const openSafetyQuestions = (intake: Pick<Intake, 'steps'>): number =>
  finalSteps(intake).filter((step) => step.safety === true && !isAnswered(step)).length;

/** Option values that mean "I do not know", in the questions of every AI service. */
const unsureValues: readonly unknown[] = ['not_sure', 'unknown', 'not_tested'];

/** The number of answers that mean "I do not know", also among those that the gateway has from before. */
export const unsureAnswers = (intake: Pick<Intake, 'steps' | 'base'>): number =>
  countUnsure(stateOf(intake).anamnesis);

/** The options that were chosen for one question are one answer. */
function countUnsure(value: unknown): number {
  if (typeof value !== 'object' || value === null) return unsureValues.includes(value) ? 1 : 0;
  const counts = Object.values(value).map(countUnsure);
  const isOfOptions = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  return isOfOptions ? Math.max(0, ...counts) : counts.reduce((sum, count) => sum + count, 0);
}
