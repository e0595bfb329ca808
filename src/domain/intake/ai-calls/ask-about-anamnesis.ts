import type { TenantActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/context.ts';
import type { PartialAnamnesis } from '../anamnesis/anamnesis.ts';
import type { Language } from '../../../contract/language.ts';
import { readPartialAnamnesis } from '../anamnesis/parse-anamnesis.ts';
import { requireVisibleImages } from '../../media/images/visible-images.ts';
import type { SafetyNetRecord } from '../red-flags/assess-red-flags.ts';
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

/**
 * Asks the AI service about answers that may be incomplete, for whoever sent them.
 * @throws {Problem} `anamnesis_invalid`; {AiFailure}
 */
export async function askAboutAnamnesis<Reply, Answer, Beside = never>(
  body: unknown,
  { conclude, ...question }: AnamnesisQuestion<Reply, Answer, Beside>,
  { context, actor }: { context: Context; actor: TenantActor },
): Promise<Answer> {
  const { db, ai, config, request, audit } = context;
  const { language } = request;
  const anamnesis = readPartialAnamnesis(body, { language, imageUrlHosts: config.IMAGE_URL_HOSTS });
  await requireVisibleImages(db, actor, anamnesis);
  return await askAi<Reply, Answer, Beside>(
    {
      ...question,
      body: { json: anamnesis },
      conclude: (reply, beside) => conclude(reply, anamnesis, language, beside),
    },
    { db, ai, actor, audit, request, timeoutMs: config.AI_TIMEOUT_MS },
  );
}
