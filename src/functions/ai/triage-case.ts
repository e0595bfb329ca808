import { PartialAnamnesis } from '../../domain/intake/anamnesis/anamnesis.schemas.ts';
import { triageCase as triage } from '../../domain/intake/triage/triage-case.ts';
import { Triage } from '../../domain/intake/triage/triage.schemas.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { JsonObject } from '../../lib/json/json-object.ts';

export const triageCase = endpoint({
  name: 'triageCase',
  method: 'POST',
  route: 'api/ai/triage',
  tag: 'AI',
  summary: 'Triage a questionnaire, complete or not',
  description:
    'How soon a physician should see the case. Not for clinical use. The level is never less urgent than any red flag of ' +
    'the AI service or of our own rules, even one that is only `not_excluded`; no level is lowered, and every level has a ' +
    'reason. An emergency of our own rules is answered while the AI service is away as well. It is never an all-clear. Neither ' +
    'answers nor level are stored; the codes of the flags that only our own rules raised are, with the account, for two years.',
  auth: 'any-unless-public-ai',
  quota: 'ai',
  audit: { category: 'ai', success: 'ai_triage', refusal: 'ai_triage' },
  reads: ['lang', 'tenant'],
  sends: ['Content-Language'],
  body: JsonObject,
  bodyDocs: PartialAnamnesis,
  bodyLimit: 64 * 1024,
  reply: { status: 200, description: 'Level, score, advice and reasons.', body: Triage },
  problems: ['anamnesis_invalid', 'ai_unavailable', 'ai_invalid_reply', 'ai_timeout', 'busy'],
  async handler({ body, actor, context }) {
    return await triage(context, actor, body);
  },
});
