import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { AiFailureKind } from '../../../lib/ai/ai-failure.ts';
import type { Language } from '../../../contract/language.ts';
import type { TenantActor } from '../../../contract/actor.ts';
import type { AuditContext } from '../../../lib/app/audit.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { isOfStatement } from '../../../lib/db/errors.ts';
import { inTransaction } from '../../../lib/db/transaction.ts';
import type { SharedQueries } from '../../../lib/app/context.ts';
import { remembered } from '../../../lib/app/memory.ts';
import { together } from '../../../lib/concurrency/together.ts';
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

/**
 * Stores a call in `ml_diagnosis_results` and `event_logs`, in one round trip unless `onRecorded` joins it. Calls that end in
 * the same turn of the event loop share round trip and commit; one that cannot be stored stops no other.
 */
export async function recordAiCall({ db, memory }: SharedQueries, record: AiCallRecord): Promise<void> {
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
    subject: { kind: 'ml_diagnosis_result', uuid: result.uuid },
    ...(record.about !== undefined && { caseUuid: record.about.caseUuid }),
    detail: {
      outcome: record.outcome,
      ...(failedRoute !== undefined && { failed_route: failedRoute }),
      ...(safetyNet?.disagreement === true && { added_flags: safetyNet.added_flags }),
    },
  });
  if (onRecorded === undefined) {
    await memory.of(callWrites)(db, { result, event });
    return;
  }
  await inTransaction(db, async (tx) => {
    await storeCalls(tx, [{ result, event }]);
    await onRecorded(tx, result.uuid);
  });
}

/** The columns of its two rows. */
interface CallRows {
  result: { tenant_id: number };
  event: object;
}

const callWrites = remembered(() =>
  together(storeCalls, { atMost: 64, patienceMs: 25, isOfOne: isOfStatement }),
);

async function storeCalls(db: Db, calls: readonly CallRows[]): Promise<void[]> {
  const byTenant = [...Map.groupBy(calls, ({ result }) => result.tenant_id).values()];
  const rows = byTenant.map((some) => ({
    results: some.map(({ result }) => result),
    events: some.map(({ event }) => event),
  }));
  await sql`SELECT record_ai_calls(${JSON.stringify(rows)}::jsonb)`.execute(db);
  return calls.map(() => undefined);
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
export async function findRecordedDiagnosis(tx: Tx, uuid: string): Promise<Diagnosis | undefined> {
  const row = await tx
    .selectFrom('ml_diagnosis_results')
    .select('answer')
    .where('uuid', '=', uuid)
    .where('kind', '=', 'diagnosis')
    .executeTakeFirst();
  return (row?.answer ?? undefined) as Diagnosis | undefined;
}
