import { PartialAnamnesis } from '../../domain/intake/anamnesis/anamnesis.schemas.ts';
import { checkRedFlags as checkAnswers } from '../../domain/intake/red-flags/check-red-flags.ts';
import { RedFlags } from '../../domain/intake/red-flags/red-flags.schemas.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { JsonObject } from '../../lib/json/json-object.ts';

export const checkRedFlags = endpoint({
  name: 'checkRedFlags',
  method: 'POST',
  route: 'api/ai/red_flags',
  tag: 'AI',
  summary: 'Find red flags in a questionnaire, complete or not',
  description:
    'Combines the findings of the AI service with those of our own rules. A rule that cannot be excluded because answers ' +
    'are open raises its flag one step less urgent, with `certainty` `not_excluded`; later answers can clear it. Where ' +
    'only the AI service gives a triage level of 24 hours or sooner, or it reports a flag without naming it, the flag is ' +
    '`urgent_by_ai`. An emergency of our own rules is answered while the AI service is away as well. No flag means that no ' +
    'rule applies; it is not an all-clear. Answers are not stored. The codes of the flags that only our own rules raised ' +
    'are, with the account, for two years.',
  auth: 'any-unless-public-ai',
  quota: 'ai',
  audit: { category: 'ai', success: 'ai_red_flags', refusal: 'ai_red_flags' },
  reads: ['lang', 'tenant'],
  sends: ['Content-Language'],
  body: JsonObject,
  bodyDocs: PartialAnamnesis,
  bodyLimit: 64 * 1024,
  reply: { status: 200, description: 'The flags, and the highest urgency among them.', body: RedFlags },
  problems: ['anamnesis_invalid', 'ai_unavailable', 'ai_invalid_reply', 'ai_timeout', 'busy'],
  async handler({ body, actor, context }) {
    return await checkAnswers(context, actor, body);
  },
});
