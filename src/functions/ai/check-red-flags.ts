import { askAboutAnamnesis } from '../../domain/ai-calls/ask-about-anamnesis.ts';
import { PartialAnamnesis } from '../../domain/anamnesis/anamnesis.ts';
import { RedFlagsReply } from '../../domain/diagnoses/diagnosis.schemas.ts';
import { evaluateRedFlags } from '../../domain/red-flags/evaluate-red-flags.ts';
import { mergeRedFlags } from '../../domain/red-flags/merge-red-flags.ts';
import { RedFlags } from '../../domain/red-flags/red-flags.ts';
import { safetyNetRules } from '../../domain/red-flags/safety-net.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { JsonObject } from '../../lib/http/json-object.ts';

export const checkRedFlags = endpoint({
  name: 'checkRedFlags',
  method: 'POST',
  route: 'api/ai/red_flags',
  tag: 'AI',
  summary: 'Signs in a questionnaire, complete or not, that need a physician soon',
  description:
    'What the AI service finds and what our own rules of high and emergency urgency find, together. No flag means that no ' +
    'rule holds; it does not mean that all is well. Neither answers nor flags are kept.',
  auth: 'any-unless-public-ai',
  audit: { category: 'ai', success: 'ai_red_flags', refusal: 'ai_red_flags' },
  reads: ['lang', 'tenant'],
  body: JsonObject,
  bodyDocs: PartialAnamnesis,
  bodyLimit: 64 * 1024,
  reply: { status: 200, description: 'The flags, and the highest urgency among them.', body: RedFlags },
  problems: ['anamnesis_invalid', 'ai_unavailable', 'ai_invalid_reply', 'ai_timeout', 'busy'],
  async handler({ body, ...tools }) {
    return await askAboutAnamnesis(
      body,
      {
        kind: 'red_flags',
        reply: RedFlagsReply,
        conclude(fromAi, anamnesis, language) {
          const own = evaluateRedFlags(anamnesis, safetyNetRules, language);
          const { redFlags, safetyNet } = mergeRedFlags(fromAi, own);
          return { answer: redFlags, safetyNet };
        },
      },
      tools,
    );
  },
});
