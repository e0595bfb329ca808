import type { z } from 'zod';
import type { TenantActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { requireVisibleImages } from '../../media/images/visible-images.ts';
import { askAi } from '../ai-calls/ask-ai.ts';
import { parseOptionsOf, readPartialAnamnesis } from '../anamnesis/parse-anamnesis.ts';
import { type Predictions, PredictionsReply } from './diagnosis.schemas.ts';

/**
 * Predictions from answers that may be incomplete, without a photo. Answers and predictions are stored.
 * @throws {Problem} `anamnesis_invalid`; {AiFailure}
 */
export async function predictDiagnosis(
  context: Context,
  actor: TenantActor,
  body: unknown,
): Promise<z.infer<typeof Predictions>> {
  const anamnesis = readPartialAnamnesis(body, parseOptionsOf(context));
  await requireVisibleImages(context, actor, anamnesis);
  return await askAi(context, actor, {
    kind: 'predict_diagnosis',
    needed: { predict_diagnosis: { body: { json: anamnesis }, reply: PredictionsReply } },
    toAnswer: ({ predict_diagnosis: answer }) => ({ answer }),
    storedAnamnesis: anamnesis,
  });
}
