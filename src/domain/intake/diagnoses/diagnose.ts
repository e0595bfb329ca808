import { createHash } from 'node:crypto';
import type { AiCall } from '../../../lib/ai/ai-call.ts';
import type { TenantActor } from '../../../contract/actor.ts';
import type { AuditContext } from '../../../lib/audit.ts';
import type { AiClient } from '../../../lib/ai/ai-client.ts';
import { AiFailure } from '../../../lib/ai/ai-failure.ts';
import { deadlineIn } from '../../../lib/ai/deadline.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { askBeside } from '../ai-calls/ask-beside.ts';
import { recordAiCall } from '../ai-calls/record-ai-call.ts';
import type { Language } from '../../../contract/language.ts';
import type { HelpLines } from '../ai-calls/reply-fields.ts';
import { assessRedFlags } from '../red-flags/assess-red-flags.ts';
import { TriageReply } from '../triage/triage.schemas.ts';
import type { DiagnosisRequest } from './diagnosis-request.ts';
import { type Diagnosis, ImageValidityReply, Predictions } from './diagnosis.schemas.ts';
import { RedFlagsReply } from '../red-flags/red-flags.schemas.ts';

export interface DiagnosisTools {
  db: Db;
  ai: AiClient;
  actor: TenantActor;
  audit: AuditContext;
  request: { id: string; traceparent: string; language: Language };
  helpLines: HelpLines;
  /** For the AI calls together. */
  timeoutMs: number;
  /** Runs in the transaction that keeps a diagnosis, with its uuid. */
  onRecorded?: ((tx: Tx, uuid: string) => Promise<void>) | undefined;
}

/**
 * Asks the AI service for predictions, red flags and the image verdict, side by side under one deadline, and
 * answers only when all three are there. Its triage is asked beside them, so that a level that the AI service alone
 * finds urgent is a flag. Flags that our own rules find are added to those of the AI service; nothing is taken away. What was asked and answered is recorded either way.
 *
 * @throws {AiFailure} of the first call that failed.
 */
export async function diagnose(input: DiagnosisRequest, tools: DiagnosisTools): Promise<Diagnosis> {
  const { db, actor, audit, request } = tools;
  const started = performance.now();
  const record = {
    actor,
    audit,
    request,
    kind: 'diagnosis' as const,
    inputSha256: inputHash(input),
    anamnesis: input.anamnesis,
    language: request.language,
  };
  try {
    const { predicted, flagged, verdict, triage } = await askAi(input, tools);
    const latencyMs = performance.now() - started;
    const fromAi = { redFlags: flagged, triage };
    const { redFlags, safetyNet } = assessRedFlags(fromAi, input.anamnesis, request.language);
    const answer = { ...predicted, red_flags: { ...redFlags, ...tools.helpLines }, image_validity: verdict };
    const { modelVersion } = predicted;
    const { onRecorded } = tools;
    await recordAiCall(db, {
      ...record,
      outcome: 'ok',
      answer,
      safetyNet,
      modelVersion,
      latencyMs,
      onRecorded,
    });
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
    const triage = askBeside({ route: 'triage', reply: TriageReply }, { json: anamnesis }, ai, call);
    const [predicted, flagged, verdict] = await Promise.all([
      ai.post('predict_diagnosis', { json: anamnesis }, Predictions, call),
      ai.post('red_flags', { json: anamnesis }, RedFlagsReply, call),
      ai.post(
        'image_validity',
        { image: image.pieces, contentType: image.facts.type },
        ImageValidityReply,
        call,
      ),
    ]);
    return { predicted, flagged, verdict, triage: await triage() };
  } finally {
    ended.abort();
  }
}

/** SHA-256 over the picture as it was sent and the answers. */
function inputHash({ anamnesis, image }: DiagnosisRequest): Buffer {
  const digest = createHash('sha256');
  for (const piece of image.pieces) digest.update(piece);
  return digest.update('\0').update(JSON.stringify(anamnesis)).digest();
}
