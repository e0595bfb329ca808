import { askAi } from '../../domain/intake/ai-calls/ask-ai.ts';
import { requireVisibleImages } from '../../domain/media/images/visible-images.ts';
import { guideIntake } from '../../domain/intake/questions/guide-intake.ts';
import { NextQuestion, NextQuestionReply } from '../../domain/intake/questions/question.schemas.ts';
import {
  NextQuestionBody,
  readNextQuestionRequest,
} from '../../domain/intake/questions/next-question-request.ts';
import { helpLinesOf } from '../../domain/intake/ai-calls/reply-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { JsonObject } from '../../lib/http/json-object.ts';

export const getNextQuestion = endpoint({
  name: 'getNextQuestion',
  method: 'POST',
  route: 'api/ai/next_question',
  tag: 'AI',
  summary: 'The next question of the intake',
  description:
    'Stateless: send all answers so far, and the questions that were skipped; put the answer at `fieldName` and ask again ' +
    'until `isComplete`. Start with `{}`. An emergency ends the questions at once: show its advice instead of submitting. ' +
    'While an answer keeps our own rules from excluding an emergency, or a safety question is open at the end, the gateway ' +
    'asks that question itself, whatever the AI service says. Texts and labels come in the language of the request. The ' +
    'answers are not stored.',
  auth: 'any-unless-public-ai',
  quota: 'questions',
  audit: { category: 'ai', success: 'ai_next_question', refusal: 'ai_next_question' },
  reads: ['lang', 'tenant'],
  body: JsonObject,
  bodyDocs: NextQuestionBody,
  bodyLimit: 64 * 1024,
  reply: { status: 200, description: 'A question, or the end.', body: NextQuestion },
  problems: ['anamnesis_invalid', 'ai_unavailable', 'ai_invalid_reply', 'ai_timeout', 'busy'],
  async handler({ body, actor, context }) {
    const { config, db, ai, request, audit } = context;
    const { language } = request;
    const asked = readNextQuestionRequest(body, { language, imageUrlHosts: config.IMAGE_URL_HOSTS });
    await requireVisibleImages(db, actor, asked);
    return await askAi(
      {
        kind: 'next_question',
        body: { json: asked },
        reply: NextQuestionReply,
        conclude: (question) => ({
          answer: { ...guideIntake(question, asked, language), ...helpLinesOf(config) },
        }),
      },
      { db, ai, actor, audit, request, timeoutMs: config.AI_TIMEOUT_MS },
    );
  },
});
