import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { TenantActor } from '../../../contract/actor.ts';
import type { AuditContext } from '../../../lib/audit.ts';
import type { AiClient } from '../../../lib/ai/ai-client.ts';
import { AiFailure } from '../../../lib/ai/ai-failure.ts';
import { deadlineIn } from '../../../lib/ai/deadline.ts';
import { type AiBody, imagePieces } from '../../../lib/ai/encode-body.ts';
import type { Db } from '../../../lib/db/connect.ts';
import type { Language } from '../../../contract/language.ts';
import type { SafetyNetRecord } from '../red-flags/assess-red-flags.ts';
import { askBeside, type Companion } from './ask-beside.ts';
import { type AiCallKind, recordAiCall } from './record-ai-call.ts';

export interface AiTools {
  db: Db;
  ai: AiClient;
  actor: TenantActor;
  audit: AuditContext;
  request: { id: string; traceparent: string; language: Language };
  /** Retries included. */
  timeoutMs: number;
}

export interface Question<Reply, Answer, Beside = never> {
  kind: Exclude<AiCallKind, 'diagnosis'>;
  body: AiBody;
  reply: z.ZodType<Reply & { modelVersion?: string | undefined }>;
  /** Asked of the same body at the same time. When it fails or is late, the answer is made without it. */
  companion?: Companion<Beside>;
  /** Makes the caller's answer of the reply and checks it against our own safety net. */
  conclude(reply: Reply, beside: Beside | undefined): { answer: Answer; safetyNet?: SafetyNetRecord };
  /** Whether answers and reply are kept with the record, as for a diagnosis. */
  keep?: boolean;
}

/**
 * Asks the AI service one question and records the call, whether or not it succeeded.
 * @throws {AiFailure}
 */
export async function askAi<Reply, Answer, Beside = never>(
  question: Question<Reply, Answer, Beside>,
  { db, ai, actor, audit, request, timeoutMs }: AiTools,
): Promise<Answer> {
  const started = performance.now();
  const { kind, body } = question;
  const record = {
    actor,
    audit,
    request,
    kind,
    inputSha256: hashOf(body),
    language: request.language,
    ...(question.keep === true && 'json' in body && { anamnesis: body.json }),
  };
  const ended = new AbortController();
  const call = {
    requestId: request.id,
    traceparent: request.traceparent,
    language: request.language,
    deadline: deadlineIn(timeoutMs, ended.signal),
  };
  try {
    const beside = askBeside(question.companion, body, ai, call);
    const reply = await ai.post(kind, body, question.reply, call);
    const latencyMs = performance.now() - started;
    const { modelVersion } = reply;
    const { answer, safetyNet } = question.conclude(reply, await beside());
    const kept = question.keep === true ? { answer } : {};
    await recordAiCall(db, { ...record, ...kept, outcome: 'ok', safetyNet, modelVersion, latencyMs });
    return answer;
  } catch (error) {
    if (!(error instanceof AiFailure)) throw error;
    const latencyMs = performance.now() - started;
    await recordAiCall(db, { ...record, outcome: error.kind, failedRoute: error.route, latencyMs });
    throw error;
  } finally {
    ended.abort();
  }
}

/** SHA-256 of what is sent. */
function hashOf(body: AiBody): Buffer {
  const digest = createHash('sha256');
  if ('json' in body) return digest.update(JSON.stringify(body.json)).digest();
  for (const piece of imagePieces(body)) digest.update(piece);
  return digest.digest();
}
