import { backgroundQuestions } from './background-questions.ts';
import { complaintQuestions } from './complaint-questions.ts';
import { dangerQuestions } from './danger-questions.ts';
import type { Question } from './question.ts';

/** Every question whose answer a red-flag rule reads, in the gateway's order. */
export const safetyQuestions: readonly Question[] = [
  ...dangerQuestions,
  ...complaintQuestions,
  ...backgroundQuestions,
];
