import type { AiClient } from '../../../lib/ai/ai-client.ts';
import type { Db } from '../../../lib/db/connect.ts';
import type { PartialAnamnesis } from '../anamnesis/anamnesis.ts';
import type { Language } from '../../../contract/language.ts';
import { readPartialAnamnesis } from '../anamnesis/parse-anamnesis.ts';
import { requireVisibleImages } from '../../media/images/visible-images.ts';
import type { SafetyNetRecord } from '../red-flags/assess-red-flags.ts';
import { identifyAiCaller } from './admit-ai-caller.ts';
import { askAi, type Question } from './ask-ai.ts';

export interface AnamnesisQuestion<Reply, Answer, Beside = never> extends Omit<
  Question<Reply, Answer, Beside>,
  'body' | 'conclude'
> {
  /** Makes the caller's answer of the reply and checks it against our own safety net. */
  conclude(
    reply: Reply,
    anamnesis: PartialAnamnesis,
    language: Language,
    beside: Beside | undefined,
  ): { answer: Answer; safetyNet?: SafetyNetRecord };
}

export interface AnamnesisTools {
  db: Db;
  ai: AiClient;
  user: { id: number; tenantId: number; role: string; sessionUuid: string } | undefined;
  config: { IMAGE_URL_HOSTS: readonly string[]; AI_TIMEOUT_MS: number };
  request: {
    id: string;
    traceparent: string;
    language: Language;
    tenantSlug: string;
    ipPrefix: string | undefined;
  };
  /** Learns the tenant, for the event of a refusal. */
  trail: { tenantId?: number };
}

/**
 * Asks the AI service about answers that may be incomplete, for whoever sent them.
 * @throws {Problem} `anamnesis_invalid`, `tenant_not_found`, `rate_limited`; {AiFailure}
 */
export async function askAboutAnamnesis<Reply, Answer, Beside = never>(
  body: unknown,
  { conclude, ...question }: AnamnesisQuestion<Reply, Answer, Beside>,
  { db, ai, user, config, request, trail }: AnamnesisTools,
): Promise<Answer> {
  const { language } = request;
  const caller = await identifyAiCaller({ db, user, request });
  trail.tenantId = caller.tenantId;
  const anamnesis = readPartialAnamnesis(body, { language, imageUrlHosts: config.IMAGE_URL_HOSTS });
  await requireVisibleImages(db, user, anamnesis);
  return await askAi<Reply, Answer, Beside>(
    {
      ...question,
      body: { json: anamnesis },
      conclude: (reply, beside) => conclude(reply, anamnesis, language, beside),
    },
    { db, ai, caller, request, timeoutMs: config.AI_TIMEOUT_MS },
  );
}
