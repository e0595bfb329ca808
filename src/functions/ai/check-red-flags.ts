import { askAboutAnamnesis } from '../../domain/intake/ai-calls/ask-about-anamnesis.ts';
import { PartialAnamnesis } from '../../domain/intake/anamnesis/anamnesis.ts';
import { RedFlagsReply, RedFlags } from '../../domain/intake/red-flags/red-flags.schemas.ts';
import { helpLinesOf } from '../../domain/intake/ai-calls/reply-fields.ts';
import { assessRedFlags } from '../../domain/intake/red-flags/assess-red-flags.ts';
import { TriageReply } from '../../domain/intake/triage/triage.schemas.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { JsonObject } from '../../lib/http/json-object.ts';

export const checkRedFlags = endpoint({
  name: 'checkRedFlags',
  method: 'POST',
  route: 'api/ai/red_flags',
  tag: 'AI',
  summary: 'Signs in a questionnaire, complete or not, that need a physician soon',
  description:
    'What the AI service finds and what our own rules find, together. A rule that open answers keep from being excluded ' +
    'raises its flag one step less urgent, with `certainty` `not_excluded`; later answers clear it. A triage level of 24 ' +
    'hours or sooner that the AI service gives alone is the flag `urgent_by_ai`. No flag means that no rule speaks; it does ' +
    'not mean that all is well. Neither answers nor flags are stored.',
  auth: 'any-unless-public-ai',
  quota: 'ai',
  audit: { category: 'ai', success: 'ai_red_flags', refusal: 'ai_red_flags' },
  reads: ['lang', 'tenant'],
  body: JsonObject,
  bodyDocs: PartialAnamnesis,
  bodyLimit: 64 * 1024,
  reply: { status: 200, description: 'The flags, and the highest urgency among them.', body: RedFlags },
  problems: ['anamnesis_invalid', 'ai_unavailable', 'ai_invalid_reply', 'ai_timeout', 'busy'],
  async handler({ body, context, actor }) {
    return await askAboutAnamnesis(
      body,
      {
        kind: 'red_flags',
        reply: RedFlagsReply,
        companion: { route: 'triage', reply: TriageReply },
        conclude(fromAi, anamnesis, language, triage) {
          const assessed = assessRedFlags({ redFlags: fromAi, triage }, anamnesis, language);
          const { redFlags, safetyNet } = assessed;
          return { answer: { ...redFlags, ...helpLinesOf(context.config) }, safetyNet };
        },
      },
      { context, actor },
    );
  },
});
