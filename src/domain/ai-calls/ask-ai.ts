import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { AiClient } from '../../lib/ai/ai-client.ts';
import { AiFailure } from '../../lib/ai/ai-failure.ts';
import { deadlineIn } from '../../lib/ai/deadline.ts';
import type { AiBody } from '../../lib/ai/encode-body.ts';
import type { Db } from '../../lib/db/connect.ts';
import type { Language } from '../anamnesis/enums/patient.ts';
import type { SafetyNetRecord } from '../red-flags/merge-red-flags.ts';
import { type AiCaller, type AiCallKind, recordAiCall } from './record-ai-call.ts';

export interface AiTools {
  db: Db;
  ai: AiClient;
  caller: AiCaller;
  request: { id: string; traceparent: string; language: Language; ipPrefix: string | undefined };
  /** Retries included. */
  timeoutMs: number;
}

export interface Question<Reply, Answer> {
  kind: Exclude<AiCallKind, 'diagnosis'>;
  body: AiBody;
  reply: z.ZodType<Reply & { modelVersion?: string | undefined }>;
  /** Makes the caller's answer of the reply; here our own safety net has its say. */
  conclude(reply: Reply): { answer: Answer; safetyNet?: SafetyNetRecord };
  /** Whether answers and reply are kept with the record, as for a diagnosis. */
  keep?: boolean;
}

/**
 * Asks the AI service one question and records the call, whether or not it succeeded.
 * @throws {AiFailure}
 */
export async function askAi<Reply, Answer>(
  question: Question<Reply, Answer>,
  { db, ai, caller, request, timeoutMs }: AiTools,
): Promise<Answer> {
  const started = performance.now();
  const { kind, body } = question;
  const input = 'json' in body ? JSON.stringify(body.json) : body.image;
  const record = {
    caller,
    request,
    kind,
    inputSha256: createHash('sha256').update(input).digest(),
    language: request.language,
    ...(question.keep === true && 'json' in body && { anamnesis: body.json }),
  };
  const call = {
    requestId: request.id,
    traceparent: request.traceparent,
    language: request.language,
    deadline: deadlineIn(timeoutMs),
  };
  try {
    const { modelVersion, ...reply } = await ai.post(kind, body, question.reply, call);
    const latencyMs = performance.now() - started;
    const { answer, safetyNet } = question.conclude(reply as Reply);
    const kept = question.keep === true ? { answer } : {};
    await recordAiCall(db, { ...record, ...kept, outcome: 'ok', safetyNet, modelVersion, latencyMs });
    return answer;
  } catch (error) {
    if (!(error instanceof AiFailure)) throw error;
    const latencyMs = performance.now() - started;
    await recordAiCall(db, { ...record, outcome: error.kind, failedRoute: error.route, latencyMs });
    throw error;
  }
}
