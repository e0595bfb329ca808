import type { TenantActor } from '../../../contract/actor.ts';
import { AiFailure, aiProblem } from '../../../lib/ai/ai-failure.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import {
  type IdempotentOutcome,
  idempotentRequest,
  withIdempotencyKeyForResource,
} from '../../../lib/idempotency/idempotency.ts';
import { type AcceptedImage, acceptImage } from '../../media/images/accept-image.ts';
import { requireVisibleImages } from '../../media/images/visible-images.ts';
import { findRecordedDiagnosis } from '../ai-calls/ai-call.queries.ts';
import { askAi } from '../ai-calls/ask-ai.ts';
import { helpLinesOf } from '../ai-calls/reply-fields.ts';
import type { Anamnesis } from '../anamnesis/anamnesis.schemas.ts';
import { parseOptionsOf, readAnamnesisText } from '../anamnesis/parse-anamnesis.ts';
import { assessRedFlags } from '../red-flags/assess-red-flags.ts';
import { RedFlagsReply } from '../red-flags/red-flags.schemas.ts';
import { TriageReply } from '../triage/triage.schemas.ts';
import { type Diagnosis, ImageValidityReply, PredictionsReply } from './diagnosis.schemas.ts';

export interface DiagnosisInput {
  image: Uint8Array;
  /** JSON text. */
  anamnesis: string;
}

/**
 * Predictions, red flags and the image verdict for one photo and its complete questionnaire: all three, or none. A
 * retry with the same `Idempotency-Key` gets the first diagnosis and makes no other. The cheap checks of the answers
 * come first, the decoding of pixels last.
 *
 * @throws {Problem} `malformed_json`, `anamnesis_invalid` naming every wrong field, `invalid_image`,
 *   `payload_too_large`, `rate_limited`, `busy`, `ai_unavailable` for an AI service that is too slow, those of
 *   idempotency; {AiFailure}
 */
export async function createDiagnosis(
  context: Context,
  actor: TenantActor,
  input: DiagnosisInput,
): Promise<IdempotentOutcome<Diagnosis>> {
  const { db, request } = context;
  const key = idempotentRequest(context, actor, 'api/diagnosis', [
    input.image,
    input.anamnesis,
    request.language,
  ]);
  return await withIdempotencyKeyForResource(
    db,
    key,
    async (onRecorded) => {
      const anamnesis = readAnamnesisText(input.anamnesis, parseOptionsOf(context));
      await requireVisibleImages(context, actor, anamnesis);
      const image = await acceptImage(input.image, context.images, '/image');
      return await diagnose(context, actor, anamnesis, image, onRecorded);
    },
    (uuid) => inTenant(db, actor.tenantId, (tx) => findRecordedDiagnosis(tx, uuid)),
  );
}

/**
 * Red flags of our own rules are added to those of the AI service; nothing is removed. Triage is a companion, so that a
 * level that the AI service alone finds urgent becomes a flag.
 */
async function diagnose(
  context: Context,
  actor: TenantActor,
  anamnesis: Anamnesis,
  { pieces, facts }: AcceptedImage,
  onRecorded: ((tx: Tx, uuid: string) => Promise<void>) | undefined,
): Promise<Diagnosis> {
  const answers = { json: anamnesis };
  const photo = { image: pieces, contentType: facts.type };
  return await askAi(context, actor, {
    kind: 'diagnosis',
    needed: {
      predict_diagnosis: { body: answers, reply: PredictionsReply },
      red_flags: { body: answers, reply: RedFlagsReply },
      image_validity: { body: photo, reply: ImageValidityReply },
    },
    companions: { triage: { body: answers, reply: TriageReply } },
    toAnswer({ predict_diagnosis: predicted, red_flags: fromAi, image_validity, triage }) {
      const assessed = assessRedFlags({ redFlags: fromAi, triage }, anamnesis, context.request.language);
      const red_flags = { ...assessed.redFlags, ...helpLinesOf(context.config) };
      return { answer: { ...predicted, red_flags, image_validity }, safetyNet: assessed.safetyNet };
    },
    storedAnamnesis: anamnesis,
    onRecorded,
  }).catch(slowIsUnavailable);
}

/** Of a diagnosis the contract knows one status for an AI service that fails: 502. */
function slowIsUnavailable(error: unknown): never {
  throw error instanceof AiFailure && error.kind === 'timeout' ? aiProblem(error, 'ai_unavailable') : error;
}
