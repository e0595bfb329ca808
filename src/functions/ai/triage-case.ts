import { askAboutAnamnesis } from '../../domain/ai-calls/ask-about-anamnesis.ts';
import { PartialAnamnesis } from '../../domain/anamnesis/anamnesis.ts';
import { evaluateRedFlags } from '../../domain/red-flags/evaluate-red-flags.ts';
import { safetyNetRules } from '../../domain/red-flags/safety-net.ts';
import { liftTriage } from '../../domain/triage/lift-triage.ts';
import { Triage, TriageReply } from '../../domain/triage/triage.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { JsonObject } from '../../lib/http/json-object.ts';

export const triageCase = endpoint({
  name: 'triageCase',
  method: 'POST',
  route: 'api/ai/triage',
  tag: 'AI',
  summary: 'How soon a physician should see this, from a questionnaire, complete or not',
  description:
    'Not for clinical use. Our own red-flag rules lift the level where the AI service has missed something; they never ' +
    'lower it. Never an all-clear. Neither answers nor level are kept.',
  auth: 'any-unless-public-ai',
  audit: { category: 'ai', success: 'ai_triage', refusal: 'ai_triage' },
  reads: ['lang', 'tenant'],
  body: JsonObject,
  bodyDocs: PartialAnamnesis,
  bodyLimit: 64 * 1024,
  reply: { status: 200, description: 'Level, score, advice and reasons.', body: Triage },
  problems: ['anamnesis_invalid', 'ai_unavailable', 'ai_invalid_reply', 'ai_timeout', 'busy'],
  async handler({ body, ...tools }) {
    return await askAboutAnamnesis(
      body,
      {
        kind: 'triage',
        reply: TriageReply,
        conclude(fromAi, anamnesis, language) {
          const own = evaluateRedFlags(anamnesis, safetyNetRules, language);
          const { triage, safetyNet } = liftTriage(fromAi, own, language);
          return { answer: triage, safetyNet };
        },
      },
      tools,
    );
  },
});
