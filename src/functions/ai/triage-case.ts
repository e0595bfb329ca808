import { askAboutAnamnesis } from '../../domain/intake/ai-calls/ask-about-anamnesis.ts';
import { PartialAnamnesis } from '../../domain/intake/anamnesis/anamnesis.ts';
import { RedFlagsReply } from '../../domain/intake/red-flags/red-flags.schemas.ts';
import { helpLinesOf } from '../../domain/intake/ai-calls/reply-fields.ts';
import { assessTriage } from '../../domain/intake/triage/assess-triage.ts';
import { Triage, TriageReply } from '../../domain/intake/triage/triage.schemas.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { JsonObject } from '../../lib/http/json-object.ts';

export const triageCase = endpoint({
  name: 'triageCase',
  method: 'POST',
  route: 'api/ai/triage',
  tag: 'AI',
  summary: 'How soon a physician should see this, from a questionnaire, complete or not',
  description:
    'Not for clinical use. The level is never less urgent than any red flag of the AI service or of our own rules, also ' +
    'where a flag is only `not_excluded`; nothing is lowered, and every level has a reason. Never an all-clear. Neither ' +
    'answers nor level are stored.',
  auth: 'any-unless-public-ai',
  quota: 'ai',
  audit: { category: 'ai', success: 'ai_triage', refusal: 'ai_triage' },
  reads: ['lang', 'tenant'],
  body: JsonObject,
  bodyDocs: PartialAnamnesis,
  bodyLimit: 64 * 1024,
  reply: { status: 200, description: 'Level, score, advice and reasons.', body: Triage },
  problems: ['anamnesis_invalid', 'ai_unavailable', 'ai_invalid_reply', 'ai_timeout', 'busy'],
  async handler({ body, context, actor }) {
    return await askAboutAnamnesis(
      body,
      {
        kind: 'triage',
        reply: TriageReply,
        companion: { route: 'red_flags', reply: RedFlagsReply },
        conclude(fromAi, anamnesis, language, redFlags) {
          const assessed = assessTriage({ redFlags, triage: fromAi }, anamnesis, language);
          const { triage, safetyNet } = assessed;
          return { answer: { ...triage, ...helpLinesOf(context.config) }, safetyNet };
        },
      },
      { context, actor },
    );
  },
});
