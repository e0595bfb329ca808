import { admitAiCaller } from '../../domain/ai-calls/admit-ai-caller.ts';
import { Anamnesis } from '../../domain/anamnesis/anamnesis.ts';
import { readDiagnosisRequest } from '../../domain/diagnoses/diagnosis-request.ts';
import { diagnose } from '../../domain/diagnoses/diagnose.ts';
import { Diagnosis } from '../../domain/diagnoses/diagnosis.schemas.ts';
import { imageLimits } from '../../domain/images/image-limits.ts';
import { requireVisibleImages } from '../../domain/images/named-images.ts';
import { AiFailure, aiProblem } from '../../lib/ai/ai-failure.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

const anamnesisBytes = 64 * 1024;

export const createDiagnosis = endpoint({
  name: 'createDiagnosis',
  method: 'POST',
  route: 'api/diagnosis',
  tag: 'Diagnosis',
  summary: 'Diagnosis predictions, red flags and image verdict for one photo and its questionnaire',
  description:
    'Not for clinical use. Three calls of the AI service and our own red-flag rules; answers only when all three are there: ' +
    'a missing red-flag answer is never replaced by "none". A photo that is a JPEG or PNG but unusable (blurred, dark) is a ' +
    '200 with `isValid: false`. The answers and the findings are kept with the case; the photo of this form is not ' +
    'stored. Not idempotent: each call is a case of its own.',
  auth: 'any-unless-public-ai',
  reads: ['lang', 'tenant'],
  audit: { category: 'ai', success: 'ai_diagnosis', refusal: 'ai_diagnosis' },
  multipart: {
    id: 'DiagnosisForm',
    description: 'A photo and the questionnaire that belongs to it.',
    maxBytes: imageLimits.maxBytes + anamnesisBytes + 16 * 1024,
    files: {
      image: {
        required: true,
        maxCount: 1,
        maxBytes: imageLimits.maxBytes,
        description: 'JPEG or PNG, at most 15 MB and 50 megapixels',
      },
    },
    fields: {
      anamnesis: {
        required: true,
        maxBytes: anamnesisBytes,
        description: 'The questionnaire, as JSON.',
        json: Anamnesis,
      },
    },
  },
  reply: { status: 200, description: 'The three findings together.', body: Diagnosis },
  problems: [
    'invalid_image',
    'malformed_json',
    'anamnesis_invalid',
    'ai_unavailable',
    'ai_invalid_reply',
    'busy',
  ],
  async handler({ form, user, config, db, ai, images, request, throttleKey, trail }) {
    const caller = await admitAiCaller({ db, user, request, throttleKey });
    trail.tenantId = caller.tenantId;
    const { language } = request;
    const upload = { image: form.files.image[0], anamnesis: form.fields.anamnesis };
    const input = await readDiagnosisRequest(upload, images, {
      language,
      imageUrlHosts: config.IMAGE_URL_HOSTS,
    });
    await requireVisibleImages(db, user, input.anamnesis);
    try {
      return await diagnose(input, { db, ai, caller, request, timeoutMs: config.AI_TIMEOUT_MS });
    } catch (error) {
      // The contract knows one status for an AI service that fails here: 502, also for a missed deadline.
      if (error instanceof AiFailure && error.kind === 'timeout') throw aiProblem(error, 'ai_unavailable');
      throw error;
    }
  },
});
