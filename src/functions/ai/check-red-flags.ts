import { askAi } from '../../domain/ai-calls/ask-ai.ts';
import { findAiCaller } from '../../domain/ai-calls/find-ai-caller.ts';
import { PartialAnamnesis } from '../../domain/anamnesis/anamnesis.ts';
import { readPartialAnamnesis } from '../../domain/anamnesis/read-partial-anamnesis.ts';
import { RedFlagsReply } from '../../domain/diagnoses/diagnosis.schemas.ts';
import { evaluateRedFlags } from '../../domain/red-flags/evaluate-red-flags.ts';
import { mergeRedFlags } from '../../domain/red-flags/merge-red-flags.ts';
import { RedFlags } from '../../domain/red-flags/red-flags.ts';
import { safetyNetRules } from '../../domain/red-flags/safety-net.ts';
import { requireVisibleImages } from '../../domain/images/named-images.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { JsonObject } from '../../lib/http/json-object.ts';

export const checkRedFlags = endpoint({
  name: 'checkRedFlags',
  method: 'POST',
  route: 'api/ai/red_flags',
  tag: 'AI',
  summary: 'Signs in a questionnaire, complete or not, that need a physician soon',
  description:
    'What the AI service finds and what our own rules of high and emergency urgency find, together. No flag means ' +
    'that no rule holds; it does not mean that all is well.',
  auth: 'any-unless-public-ai',
  audit: { category: 'ai', success: 'ai_red_flags', refusal: 'ai_red_flags' },
  reads: ['lang', 'tenant'],
  body: JsonObject,
  bodyDocs: PartialAnamnesis,
  bodyLimit: 64 * 1024,
  reply: { status: 200, description: 'The flags, and the highest urgency among them.', body: RedFlags },
  problems: ['anamnesis_invalid', 'ai_unavailable', 'ai_invalid_reply', 'ai_timeout', 'busy'],
  async handler({ body, user, config, db, ai, request, trail }) {
    const { language } = request;
    const anamnesis = readPartialAnamnesis(body, { language, imageUrlHosts: config.IMAGE_URL_HOSTS });
    await requireVisibleImages(db, user, anamnesis);
    const caller = await findAiCaller(db, user, request.tenantSlug);
    trail.tenantId = caller.tenantId;
    const own = evaluateRedFlags(anamnesis, safetyNetRules, language);
    return await askAi(
      {
        kind: 'red_flags',
        body: { json: anamnesis },
        reply: RedFlagsReply,
        conclude(fromAi) {
          const { redFlags, safetyNet } = mergeRedFlags(fromAi, own);
          return { answer: redFlags, safetyNet };
        },
      },
      { db, ai, caller, request, timeoutMs: config.AI_TIMEOUT_MS },
    );
  },
});
