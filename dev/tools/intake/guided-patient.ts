import { nextQuestion } from '../../apps/ai-service/questions/next-question.ts';
import { type Answer, applyAnswer, type IntakeState } from '../../packages/client/src/apply-answer.ts';
import type { PartialAnamnesis } from '../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import type { NextQuestion } from '../../../src/domain/intake/questions/question.schemas.ts';

export interface Walk {
  asked: NextQuestion[];
  /** The ids without the index of a loop. */
  ids: string[];
  end: NextQuestion;
  state: IntakeState;
}

export type Answers = Readonly<Record<string, Answer>>;

/**
 * An intake of a patient who answers what `answers` has (by id, without an index for every item of a loop) and says no
 * to the rest: nothing of it, the mildest, or `undefined` where `skips`.
 */
export function walk(
  answers: Answers,
  { start = {}, skips = false }: { start?: PartialAnamnesis; skips?: boolean } = {},
): Walk {
  let state: IntakeState = { anamnesis: start, skippedQuestions: [] };
  const asked: NextQuestion[] = [];
  for (;;) {
    const question = nextQuestion(state.anamnesis, state.skippedQuestions, 'en');
    const ids = asked.map(({ questionId }) => bare(questionId));
    if (question.isComplete) return { asked, ids, end: question, state };
    if (asked.length > 100) throw new Error(`Still asking after ${ids.join(', ')}`);
    asked.push(question);
    state = applyAnswer(state, question, answerTo(question, answers, skips));
  }
}

const bare = (questionId: string) => questionId.replace(/\[\d+\]$/, '');

function answerTo(question: NextQuestion, answers: Answers, skips: boolean): Answer {
  const { questionId } = question;
  if (questionId in answers) return answers[questionId];
  if (bare(questionId) in answers) return answers[bare(questionId)];
  if (skips && question.skippable === true) return undefined;
  return noTo(question);
}

const no = ['none', 'normal', 'blanches', 'unknown', 'not_sure', 'not_tested', 'prefer_not_to_say', 'stable'];

function noTo({ questionType, optionValues = [], min = 0 }: NextQuestion): Answer {
  if (questionType === 'camera') return '/api/common/images/0198a0b0-0000-7000-8000-000000000001';
  if (questionType === 'bool') return false;
  if (questionType === 'number') return min;
  if (questionType === 'text') return min > 0 ? 'x' : undefined;
  const value = no.find((it) => optionValues.includes(it)) ?? String(optionValues[0]);
  return questionType === 'checkbox' ? [value] : value;
}
