import { appearanceQuestions } from './appearance-questions.ts';
import { complaintQuestions } from './complaint-questions.ts';
import { personQuestions } from './person-questions.ts';
import type { Question } from './question.ts';

/** The questionnaire: 58 questions in the order in which they are asked, what can be an emergency first. */
export const flow: readonly Question[] = [...complaintQuestions, ...appearanceQuestions, ...personQuestions];
