import type { NextQuestion } from 'dermagate-client';
import type { Step } from './intake.ts';
import { valuesOf } from './wording.ts';
import type { Entry } from './check-answer.ts';

/** An earlier answer as the content of its input, without values that are no longer offered. */
export function entryOf(question: NextQuestion, draft: Step | undefined): Entry {
  const answer = draft?.answer;
  if (typeof answer === 'number') return String(answer);
  if (question.questionType === 'text' || question.questionType === 'number') return answer as Entry;
  const offered = valuesOf(question);
  if (Array.isArray(answer)) return (answer as readonly string[]).filter((value) => offered.includes(value));
  return offered.includes(answer) ? (answer as Entry) : undefined;
}
