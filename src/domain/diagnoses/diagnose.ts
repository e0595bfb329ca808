import { createHash } from 'node:crypto';
import type { AiCall } from '../../lib/ai/ai-call.ts';
import type { AiClient } from '../../lib/ai/ai-client.ts';
import { AiFailure } from '../../lib/ai/ai-failure.ts';
import { deadlineIn } from '../../lib/ai/deadline.ts';
import type { Db } from '../../lib/db/connect.ts';
import { type AiCaller, recordAiCall } from '../ai-calls/record-ai-call.ts';
import type { Language } from '../anamnesis/enums/patient.ts';
import { evaluateRedFlags } from '../red-flags/evaluate-red-flags.ts';
import { mergeRedFlags } from '../red-flags/merge-red-flags.ts';
import { safetyNetRules } from '../red-flags/safety-net.ts';
import type { DiagnosisRequest } from './diagnosis-request.ts';
import { type Diagnosis, ImageValidityReply, PredictionsReply, RedFlagsReply } from './diagnosis.schemas.ts';

export interface DiagnosisTools {
  db: Db;
  ai: AiClient;
  caller: AiCaller;
  request: { id: string; traceparent: string; language: Language; ipPrefix: string | undefined };
  /** For the three AI calls together. */
  timeoutMs: number;
}

/**
 * Asks the AI service for predictions, red flags and the image verdict, side by side under one deadline, and
 * answers only when all three are there. Flags that our own rules find are added to those of the AI service;
 * nothing is ever taken away. What was asked and answered is recorded either way.
 *
 * @throws {AiFailure} of the first call that failed.
 */
export async function diagnose(input: DiagnosisRequest, tools: DiagnosisTools): Promise<Diagnosis> {
  const { db, caller, request } = tools;
  const started = performance.now();
  const record = {
    caller,
    request,
    kind: 'diagnosis' as const,
    inputSha256: inputHash(input),
    anamnesis: input.anamnesis,
    language: request.language,
  };
  try {
    const [predicted, flagged, verdict] = await askAi(input, tools);
    const latencyMs = performance.now() - started;
    const { modelVersion: _ofRules, ...fromAi } = flagged;
    const own = evaluateRedFlags(input.anamnesis, safetyNetRules, request.language);
    const { redFlags, safetyNet } = mergeRedFlags(fromAi, own);
    const { modelVersion: _ofVerdict, ...imageValidity } = verdict;
    const answer = {
      predictions: predicted.predictions,
      red_flags: redFlags,
      image_validity: imageValidity,
    };
    const { modelVersion } = predicted;
    await recordAiCall(db, { ...record, outcome: 'ok', answer, safetyNet, modelVersion, latencyMs });
    return answer;
  } catch (error) {
    if (!(error instanceof AiFailure)) throw error;
    const latencyMs = performance.now() - started;
    await recordAiCall(db, { ...record, outcome: error.kind, failedRoute: error.route, latencyMs });
    throw error;
  }
}

async function askAi({ anamnesis, image }: DiagnosisRequest, { ai, request, timeoutMs }: DiagnosisTools) {
  // When one call has failed nobody waits for the other two.
  const ended = new AbortController();
  const call: AiCall = {
    requestId: request.id,
    traceparent: request.traceparent,
    language: request.language,
    deadline: deadlineIn(timeoutMs, ended.signal),
  };
  try {
    return await Promise.all([
      ai.post('predict_diagnosis', { json: anamnesis }, PredictionsReply, call),
      ai.post('red_flags', { json: anamnesis }, RedFlagsReply, call),
      ai.post(
        'image_validity',
        { image: image.bytes, contentType: image.facts.type },
        ImageValidityReply,
        call,
      ),
    ]);
  } finally {
    ended.abort();
  }
}

/** SHA-256 over the picture and the answers. */
function inputHash({ anamnesis, image }: DiagnosisRequest): Buffer {
  return createHash('sha256').update(image.bytes).update('\0').update(JSON.stringify(anamnesis)).digest();
}
