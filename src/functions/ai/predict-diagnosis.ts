import { z } from 'zod';
import { askAi } from '../../domain/ai-calls/ask-ai.ts';
import { findAiCaller } from '../../domain/ai-calls/find-ai-caller.ts';
import { PartialAnamnesis } from '../../domain/anamnesis/anamnesis.ts';
import { readPartialAnamnesis } from '../../domain/anamnesis/read-partial-anamnesis.ts';
import { Prediction, PredictionsReply } from '../../domain/diagnoses/diagnosis.schemas.ts';
import { requireVisibleImages } from '../../domain/images/named-images.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { JsonObject } from '../../lib/http/json-object.ts';

export const predictDiagnosis = endpoint({
  name: 'predictDiagnosis',
  method: 'POST',
  route: 'api/ai/predict_diagnosis',
  tag: 'AI',
  summary: 'Diagnosis predictions from a questionnaire, complete or not',
  description: 'Not for clinical use. Without a photo; `POST /api/diagnosis` judges both.',
  auth: 'any-unless-public-ai',
  audit: { category: 'ai', success: 'ai_predict_diagnosis', refusal: 'ai_predict_diagnosis' },
  reads: ['lang', 'tenant'],
  body: JsonObject,
  bodyDocs: PartialAnamnesis,
  bodyLimit: 64 * 1024,
  reply: {
    status: 200,
    description: 'Most probable first.',
    body: z.object({ predictions: z.array(Prediction) }).meta({ id: 'Predictions' }),
  },
  problems: ['anamnesis_invalid', 'ai_unavailable', 'ai_invalid_reply', 'ai_timeout', 'busy'],
  async handler({ body, user, config, db, ai, request, trail }) {
    const { language } = request;
    const anamnesis = readPartialAnamnesis(body, { language, imageUrlHosts: config.IMAGE_URL_HOSTS });
    await requireVisibleImages(db, user, anamnesis);
    const caller = await findAiCaller(db, user, request.tenantSlug);
    trail.tenantId = caller.tenantId;
    return await askAi(
      {
        kind: 'predict_diagnosis',
        body: { json: anamnesis },
        reply: PredictionsReply,
        conclude: (reply) => ({ answer: { predictions: reply.predictions } }),
        keep: true,
      },
      { db, ai, caller, request, timeoutMs: config.AI_TIMEOUT_MS },
    );
  },
});
