import { askAi } from '../../domain/ai-calls/ask-ai.ts';
import { findAiCaller } from '../../domain/ai-calls/find-ai-caller.ts';
import { PartialAnamnesis } from '../../domain/anamnesis/anamnesis.ts';
import { readPartialAnamnesis } from '../../domain/anamnesis/read-partial-anamnesis.ts';
import { evaluateRedFlags } from '../../domain/red-flags/evaluate-red-flags.ts';
import { safetyNetRules } from '../../domain/red-flags/safety-net.ts';
import { liftTriage } from '../../domain/triage/lift-triage.ts';
import { Triage, TriageReply } from '../../domain/triage/triage.ts';
import { requireVisibleImages } from '../../domain/images/named-images.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { JsonObject } from '../../lib/http/json-object.ts';

export const triageCase = endpoint({
  name: 'triageCase',
  method: 'POST',
  route: 'api/ai/triage',
  tag: 'AI',
  summary: 'How soon a physician should see this, from a questionnaire, complete or not',
  description:
    'Our own red-flag rules lift the level where the AI service has missed something; they never lower it.',
  auth: 'any-unless-public-ai',
  audit: { category: 'ai', success: 'ai_triage', refusal: 'ai_triage' },
  reads: ['lang', 'tenant'],
  body: JsonObject,
  bodyDocs: PartialAnamnesis,
  bodyLimit: 64 * 1024,
  reply: { status: 200, description: 'Level, score, advice and reasons.', body: Triage },
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
        kind: 'triage',
        body: { json: anamnesis },
        reply: TriageReply,
        conclude(fromAi) {
          const { triage, safetyNet } = liftTriage(fromAi, own, language);
          return { answer: triage, safetyNet };
        },
      },
      { db, ai, caller, request, timeoutMs: config.AI_TIMEOUT_MS },
    );
  },
});
