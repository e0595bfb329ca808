import type { TenantActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { requireVisibleImages } from '../../media/images/visible-images.ts';
import { askAi } from '../ai-calls/ask-ai.ts';
import { helpLinesOf } from '../ai-calls/reply-fields.ts';
import { parseOptionsOf } from '../anamnesis/parse-anamnesis.ts';
import { isEmergency } from '../red-flags/evaluate-red-flags.ts';
import { endOfQuestions } from './end-of-questions.ts';
import { guideIntake } from './guide-intake.ts';
import { readNextQuestionRequest } from './next-question-request.ts';
import { type NextQuestion, NextQuestionReply } from './question.schemas.ts';

/**
 * What to ask the patient next, or the end. The answers are not stored.
 * @throws {Problem} `anamnesis_invalid`; {AiFailure} unless our own rules find an emergency in the answers
 */
export async function getNextQuestion(
  context: Context,
  actor: TenantActor,
  body: Record<string, unknown>,
): Promise<NextQuestion> {
  const asked = readNextQuestionRequest(body, parseOptionsOf(context));
  await requireVisibleImages(context, actor, asked);
  const { language } = context.request;
  const route = { next_question: { body: { json: asked }, reply: NextQuestionReply } };
  const question = {
    kind: 'next_question' as const,
    toAnswer: ({ next_question: fromAi = endOfQuestions }: { next_question?: NextQuestion }) => ({
      answer: { ...guideIntake(fromAi, asked, language), ...helpLinesOf(context.config) },
    }),
  };
  return isEmergency(asked)
    ? await askAi(context, actor, { ...question, needed: {}, companions: route })
    : await askAi(context, actor, { ...question, needed: route });
}
