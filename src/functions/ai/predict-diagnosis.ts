import { askAboutAnamnesis } from '../../domain/intake/ai-calls/ask-about-anamnesis.ts';
import { PartialAnamnesis } from '../../domain/intake/anamnesis/anamnesis.ts';
import { Predictions } from '../../domain/intake/diagnoses/diagnosis.schemas.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { JsonObject } from '../../lib/http/json-object.ts';

export const predictDiagnosis = endpoint({
  name: 'predictDiagnosis',
  method: 'POST',
  route: 'api/ai/predict_diagnosis',
  tag: 'AI',
  summary: 'Diagnosis predictions from a questionnaire, complete or not',
  description:
    'Not for clinical use. Without a photo; `POST /api/diagnosis` judges both. The answers and the predictions are kept ' +
    'with the case.',
  auth: 'any-unless-public-ai',
  quota: 'ai',
  verifiedOnly: true,
  audit: { category: 'ai', success: 'ai_predict_diagnosis', refusal: 'ai_predict_diagnosis' },
  reads: ['lang', 'tenant'],
  body: JsonObject,
  bodyDocs: PartialAnamnesis,
  bodyLimit: 64 * 1024,
  reply: {
    status: 200,
    description: 'Most probable first.',
    body: Predictions,
  },
  problems: ['anamnesis_invalid', 'ai_unavailable', 'ai_invalid_reply', 'ai_timeout', 'busy'],
  async handler({ body, context, actor }) {
    return await askAboutAnamnesis(
      body,
      {
        kind: 'predict_diagnosis',
        reply: Predictions,
        conclude: (predictions) => ({ answer: predictions }),
        keep: true,
      },
      { context, actor },
    );
  },
});
