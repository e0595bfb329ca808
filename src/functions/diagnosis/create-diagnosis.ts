import { createDiagnosis as diagnose } from '../../domain/intake/diagnoses/create-diagnosis.ts';
import { Diagnosis, diagnosisForm } from '../../domain/intake/diagnoses/diagnosis.schemas.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const createDiagnosis = endpoint({
  name: 'createDiagnosis',
  method: 'POST',
  route: 'api/diagnosis',
  tag: 'Diagnosis',
  summary: 'Diagnose one photo with its questionnaire',
  description:
    'Predictions, red flags and the image verdict. Not for clinical use. Combines three calls of the AI service with our ' +
    'own red-flag rules, and succeeds only when all three have replied: a missing red-flag reply is never replaced by ' +
    '"none". After a 502 ask `POST /api/ai/red_flags`, which names an emergency of our own rules at once. A JPEG or PNG that is unusable (blurred, dark) gets a 200 with `isValid: false`. Answers and findings are ' +
    'stored; the photo of this form is not. Each call is a new case, except for a retry within 24 hours with the same ' +
    '`Idempotency-Key`: it gets the first reply, marked `Idempotency-Replayed: true`.',
  auth: 'any-unless-public-ai',
  quota: 'ai',
  verifiedOnly: true,
  reads: ['lang', 'tenant', 'idempotency-key'],
  sends: ['Content-Language', 'Idempotency-Replayed'],
  audit: { category: 'ai', success: 'ai_diagnosis', refusal: 'ai_diagnosis' },
  multipart: diagnosisForm,
  reply: { status: 200, description: 'The three findings together.', body: Diagnosis },
  problems: [
    'invalid_image',
    'malformed_json',
    'anamnesis_invalid',
    'ai_unavailable',
    'ai_invalid_reply',
    'busy',
  ],
  async handler({ form, actor, context, replyHeaders }) {
    const input = { image: form.files.image[0], anamnesis: form.fields.anamnesis };
    const { reply, replayed } = await diagnose(context, actor, input);
    if (replayed) replyHeaders['idempotency-replayed'] = 'true';
    return reply;
  },
});
