import { diagnosisForm } from '../../domain/intake/diagnoses/diagnosis-form.ts';
import { readDiagnosisRequest } from '../../domain/intake/diagnoses/diagnosis-request.ts';
import { diagnose } from '../../domain/intake/diagnoses/diagnose.ts';
import { Diagnosis } from '../../domain/intake/diagnoses/diagnosis.schemas.ts';
import {
  asUnavailable,
  findDiagnosis,
  identifyDiagnosis,
} from '../../domain/intake/diagnoses/recorded-diagnosis.ts';
import { helpLinesOf } from '../../domain/intake/ai-calls/reply-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { withIdempotencyKeyForResource } from '../../lib/idempotency/idempotency.ts';

const route = 'api/diagnosis';

export const createDiagnosis = endpoint({
  name: 'createDiagnosis',
  method: 'POST',
  route,
  tag: 'Diagnosis',
  summary: 'Diagnosis predictions, red flags and image verdict for one photo and its questionnaire',
  description:
    'Not for clinical use. Three calls of the AI service and our own red-flag rules; answers only when all three are there: ' +
    'a missing red-flag answer is never replaced by "none". A photo that is a JPEG or PNG but unusable (blurred, dark) is a ' +
    '200 with `isValid: false`. The answers and the findings are kept with the case; the photo of this form is not ' +
    'stored. Each call is a case of its own, but for a retry within 24 hours with the `Idempotency-Key` of the first: it ' +
    'gets the first answer, marked `Idempotency-Replayed: true`.',
  auth: 'any-unless-public-ai',
  quota: 'ai',
  verifiedOnly: true,
  reads: ['lang', 'tenant', 'idempotency-key'],
  sends: ['Idempotency-Replayed'],
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
    const { config, db, ai, images, request, audit } = context;
    const { AI_TIMEOUT_MS: timeoutMs, IMAGE_URL_HOSTS: imageUrlHosts } = config;
    const upload = { image: form.files.image[0], anamnesis: form.fields.anamnesis };
    const { reply, replayed } = await withIdempotencyKeyForResource(
      db,
      { route, ...identifyDiagnosis(upload, { actor, request }) },
      async (onRecorded) => {
        const options = { language: request.language, imageUrlHosts, db, actor };
        const input = await readDiagnosisRequest(upload, images, options);
        return await diagnose(input, {
          db,
          ai,
          actor,
          audit,
          request,
          helpLines: helpLinesOf(config),
          timeoutMs,
          onRecorded,
        }).catch(asUnavailable);
      },
      (uuid) => findDiagnosis(db, actor.tenantId, uuid),
    );
    if (replayed) replyHeaders['idempotency-replayed'] = 'true';
    return reply;
  },
});
