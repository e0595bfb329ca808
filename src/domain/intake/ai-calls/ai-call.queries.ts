import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { AiFailureKind } from '../../../lib/ai/ai-failure.ts';
import type { Language } from '../../../contract/language.ts';
import type { TenantActor } from '../../../contract/actor.ts';
import type { AuditContext } from '../../../lib/audit.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { inTransaction } from '../../../lib/db/transaction.ts';
import type { Diagnosis } from '../diagnoses/diagnosis.schemas.ts';
import type { SafetyNetRecord } from '../red-flags/assess-red-flags.ts';

export type AiCallKind =
  | 'diagnosis'
  | 'predict_diagnosis'
  | 'red_flags'
  | 'image_validity'
  | 'triage'
  | 'next_question';

export interface AiCallRecord {
  actor: TenantActor;
  audit: AuditContext;
  kind: AiCallKind;
  /** SHA-256 of what was sent. */
  inputSha256: Buffer;
  /** `busy` is stored as `unavailable`; the event has the difference. */
  outcome: 'ok' | AiFailureKind;
  latencyMs: number;
  request: { id: string; language: Language };
  modelVersion?: string | undefined;
  /** The case that was asked about, and the revision of its answers. */
  about?: { caseUuid: string; revision: number } | undefined;
  /** For `diagnosis` and `predict_diagnosis` without a case only; of other calls the hash is enough. */
  anamnesis?: unknown;
  /** Stored where `anamnesis` or `about` is. */
  answer?: unknown;
  safetyNet?: SafetyNetRecord | undefined;
  /** The AI service's route that failed. */
  failedRoute?: string | undefined;
  /** Runs in the transaction that stores the call, with the uuid of its row. */
  onRecorded?: ((tx: Tx, uuid: string) => Promise<void>) | undefined;
}

/** Stores a call in `ml_diagnosis_results` and `event_logs`, in one round trip unless `onRecorded` joins it. */
export async function recordAiCall(db: Db, record: AiCallRecord): Promise<void> {
  const { actor, audit, request, safetyNet, failedRoute, onRecorded } = record;
  const result = {
    uuid: uuidv7(),
    tenant_id: actor.tenantId,
    user_id: actor.kind === 'account' ? actor.id : undefined,
    case_uuid: record.about?.caseUuid,
    anamnesis_revision: record.about?.revision,
    kind: record.kind,
    input_sha256: `\\x${record.inputSha256.toString('hex')}`,
    anamnesis: record.anamnesis,
    answer: record.answer,
    outcome: record.outcome === 'busy' ? 'unavailable' : record.outcome,
    safety_net: safetyNet,
    model_version: record.modelVersion,
    latency_ms: Math.round(record.latencyMs),
    language: request.language,
    request_id: request.id,
  };
  const event = audit.row(record.outcome === 'ok' ? 'success' : 'failure', {
    detail: {
      outcome: record.outcome,
      ...(failedRoute !== undefined && { failed_route: failedRoute }),
      ...(safetyNet?.disagreement === true && { added_flags: safetyNet.added_flags }),
    },
  });
  const store = sql`SELECT record_ai_call(${JSON.stringify(result)}::jsonb, ${JSON.stringify(event)}::jsonb)`;
  if (onRecorded === undefined) {
    await store.execute(db);
    return;
  }
  await inTransaction(db, async (tx) => {
    await store.execute(tx);
    await onRecorded(tx, result.uuid);
  });
}

/** The newest answer about one revision of a case's anamnesis, with the uuid of its row. */
export async function findCaseDiagnosis(
  tx: Tx,
  { caseUuid, revision }: { caseUuid: string; revision: number },
): Promise<{ uuid: string; answer: unknown } | undefined> {
  return await tx
    .selectFrom('ml_diagnosis_results')
    .select(['uuid', 'answer'])
    .where('case_uuid', '=', caseUuid)
    .where('kind', '=', 'diagnosis')
    .where('anamnesis_revision', '=', revision)
    .where('outcome', '=', 'ok')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** A diagnosis as it was answered; undefined when it has been deleted. */
export async function findRecordedDiagnosis(
  db: Db,
  tenantId: number,
  uuid: string,
): Promise<Diagnosis | undefined> {
  const row = await inTenant(db, tenantId, (tx) =>
    tx
      .selectFrom('ml_diagnosis_results')
      .select('answer')
      .where('uuid', '=', uuid)
      .where('kind', '=', 'diagnosis')
      .executeTakeFirst(),
  );
  return (row?.answer ?? undefined) as Diagnosis | undefined;
}
