// What the answers are in the end, and what they leave unknown.
import { type Intake, isAnswered, type Step } from './intake.ts';

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

/** The number of answers that mean "I do not know". */
export const unsureAnswers = (intake: Pick<Intake, 'steps'>): number =>
  finalSteps(intake).filter(({ answer }) => [answer].flat().some((value) => unsureValues.includes(value)))
    .length;
