import { getNextQuestion as getQuestion } from '../../domain/intake/questions/get-next-question.ts';
import { NextQuestionBody } from '../../domain/intake/questions/next-question-request.ts';
import { NextQuestion } from '../../domain/intake/questions/question.schemas.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { JsonObject } from '../../lib/json/json-object.ts';

export const getNextQuestion = endpoint({
  name: 'getNextQuestion',
  method: 'POST',
  route: 'api/ai/next_question',
  tag: 'AI',
  summary: 'Get the next question of the intake',
  description:
    'Stateless: send all answers so far and the skipped questions; store each answer at `fieldName` and ask again until ' +
    '`isComplete`. Start with `{}`. An emergency ends the questions at once, while the AI service is away as well: show its advice ' +
    'instead of submitting. While ' +
    'our own rules need an answer to exclude an emergency, or a safety question is open at the end, the gateway asks that ' +
    'question itself, regardless of the AI service. Texts and labels are in the language of the request. The answers are ' +
    'not stored.',
  auth: 'any-unless-public-ai',
  quota: 'questions',
  audit: { category: 'ai', success: 'ai_next_question', refusal: 'ai_next_question' },
  reads: ['lang', 'tenant'],
  sends: ['Content-Language'],
  body: JsonObject,
  bodyDocs: NextQuestionBody,
  bodyLimit: 64 * 1024,
  reply: { status: 200, description: 'A question, or the end.', body: NextQuestion },
  problems: ['anamnesis_invalid', 'ai_unavailable', 'ai_invalid_reply', 'ai_timeout', 'busy'],
  async handler({ body, actor, context }) {
    return await getQuestion(context, actor, body);
  },
});
