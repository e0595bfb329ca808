import type { TenantActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/context.ts';
import { requireVisibleImages } from '../../media/images/visible-images.ts';
import { askAi } from '../ai-calls/ask-ai.ts';
import { helpLinesOf } from '../ai-calls/reply-fields.ts';
import { parseOptionsOf } from '../anamnesis/parse-anamnesis.ts';
import { guideIntake } from './guide-intake.ts';
import { readNextQuestionRequest } from './next-question-request.ts';
import { type NextQuestion, NextQuestionReply } from './question.schemas.ts';

/**
 * What to ask the patient next, or the end. The answers are not stored.
 * @throws {Problem} `anamnesis_invalid`; {AiFailure}
 */
export async function getNextQuestion(
  context: Context,
  actor: TenantActor,
  body: Record<string, unknown>,
): Promise<NextQuestion> {
  const asked = readNextQuestionRequest(body, parseOptionsOf(context));
  await requireVisibleImages(context, actor, asked);
  return await askAi(context, actor, {
    kind: 'next_question',
    needed: { next_question: { body: { json: asked }, reply: NextQuestionReply } },
    toAnswer: ({ next_question: fromAi }) => ({
      answer: {
        ...guideIntake(fromAi, asked, context.request.language),
        ...helpLinesOf(context.config),
      },
    }),
  });
}
