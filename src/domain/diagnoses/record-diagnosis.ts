import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../../lib/db/connect.ts';
import { inTenant } from '../../lib/db/tenant.ts';
import type { Anamnesis } from '../anamnesis/anamnesis.ts';
import { recordEvent } from '../events/record-event.ts';
import type { SafetyNetRecord } from '../red-flags/merge-red-flags.ts';
import type { Diagnosis } from './diagnosis.schemas.ts';

export interface DiagnosisRecord {
  tenantId: number;
  /** Undefined for anonymous callers. */
  userId: number | undefined;
  sessionUuid: string | undefined;
  /** SHA-256 over image and answers. */
  inputSha256: Buffer;
  anamnesis: Anamnesis;
  outcome: 'ok' | 'unavailable' | 'timeout' | 'invalid_reply';
  /** Undefined when the AI service gave none. */
  answer?: Diagnosis | undefined;
  safetyNet?: SafetyNetRecord | undefined;
  modelVersion?: string | undefined;
  latencyMs: number;
  language: string;
  requestId: string;
  ipPrefix: string | undefined;
  /** The AI route that failed. */
  failedRoute?: string | undefined;
}

/** Keeps what was asked and answered, so that every diagnosis can be audited later; also a failed one. */
export async function recordDiagnosis(db: Db, record: DiagnosisRecord): Promise<void> {
  const uuid = uuidv7();
  await inTenant(db, record.tenantId, async (tx) => {
    await tx
      .insertInto('ml_diagnosis_results')
      .values({
        uuid,
        tenant_id: record.tenantId,
        user_id: record.userId ?? null,
        kind: 'diagnosis',
        input_sha256: record.inputSha256,
        anamnesis: JSON.stringify(record.anamnesis),
        answer: record.answer === undefined ? null : JSON.stringify(record.answer),
        outcome: record.outcome,
        safety_net: record.safetyNet === undefined ? null : JSON.stringify(record.safetyNet),
        model_version: record.modelVersion ?? null,
        latency_ms: Math.round(record.latencyMs),
        language: record.language,
        request_id: record.requestId,
      })
      .execute();
    await recordEvent(tx, {
      category: 'ai',
      action: 'ai_diagnosis',
      outcome: record.outcome === 'ok' ? 'success' : 'failure',
      tenantId: record.tenantId,
      actorUserId: record.userId,
      sessionUuid: record.sessionUuid,
      subject: { kind: 'ml_diagnosis_result', uuid },
      requestId: record.requestId,
      ipPrefix: record.ipPrefix,
      detail: {
        outcome: record.outcome,
        ...(record.failedRoute !== undefined && { failed_route: record.failedRoute }),
        ...(record.safetyNet?.disagreement === true && { added_flags: record.safetyNet.added_flags }),
      },
    });
  });
}
