import { PartialAnamnesis } from '../../domain/intake/anamnesis/anamnesis.schemas.ts';
import { Predictions } from '../../domain/intake/diagnoses/diagnosis.schemas.ts';
import { predictDiagnosis as predict } from '../../domain/intake/diagnoses/predict-diagnosis.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { JsonObject } from '../../lib/json/json-object.ts';

export const predictDiagnosis = endpoint({
  name: 'predictDiagnosis',
  method: 'POST',
  route: 'api/ai/predict_diagnosis',
  tag: 'AI',
  summary: 'Predict diagnoses from a questionnaire, complete or not',
  description:
    'Not for clinical use. Uses no photo; `POST /api/diagnosis` assesses both. Answers and predictions are stored.',
  auth: 'any-unless-public-ai',
  quota: 'ai',
  verifiedOnly: true,
  audit: { category: 'ai', success: 'ai_predict_diagnosis', refusal: 'ai_predict_diagnosis' },
  reads: ['lang', 'tenant'],
  sends: ['Content-Language'],
  body: JsonObject,
  bodyDocs: PartialAnamnesis,
  bodyLimit: 64 * 1024,
  reply: { status: 200, description: 'Most probable first.', body: Predictions },
  problems: ['anamnesis_invalid', 'ai_unavailable', 'ai_invalid_reply', 'ai_timeout', 'busy'],
  async handler({ body, actor, context }) {
    return await predict(context, actor, body);
  },
});
