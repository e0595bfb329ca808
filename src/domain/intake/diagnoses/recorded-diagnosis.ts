import { createHash } from 'node:crypto';
import type { TenantActor } from '../../../contract/actor.ts';
import { AiFailure, aiProblem } from '../../../lib/ai/ai-failure.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import type { Language } from '../../../contract/language.ts';
import type { Diagnosis } from './diagnosis.schemas.ts';

export interface DiagnosisAsker {
  actor: TenantActor;
  request: {
    idempotencyKey: string | undefined;
    ipPrefix: string | undefined;
    language: Language;
    receivedAt: Date;
  };
}

/** Whose key it is, and a hash of photo, answers and language of the reply: a retry has the same. */
export function identifyDiagnosis(
  upload: { image: Uint8Array; anamnesis: string },
  { actor, request }: DiagnosisAsker,
) {
  const image = createHash('sha256').update(upload.image).digest();
  const fingerprint = createHash('sha256').update(image).update(`${request.language}\0${upload.anamnesis}`);
  return {
    key: request.idempotencyKey,
    tenantId: actor.tenantId,
    userKey: actor.kind === 'account' ? actor.uuid : `network ${request.ipPrefix}`,
    fingerprint: fingerprint.digest(),
    now: request.receivedAt,
  };
}

/** For callers of a diagnosis: the contract knows one status for an AI service that fails, 502. */
export function asUnavailable(error: unknown): never {
  throw error instanceof AiFailure && error.kind === 'timeout' ? aiProblem(error, 'ai_unavailable') : error;
}

/** The answer of a diagnosis as it was given; undefined when it has been deleted. */
export async function findDiagnosis(db: Db, tenantId: number, uuid: string): Promise<Diagnosis | undefined> {
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
