import type { AccountActor } from '../../../contract/actor.ts';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import {
  type IdempotentOutcome,
  idempotentRequest,
  withIdempotencyKeyForResource,
} from '../../../lib/idempotency/idempotency.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { createAudit } from '../audits/write-audit.ts';
import type { Annotation } from './annotation.schemas.ts';
import type { AnnotationCreation } from './annotation-input.schemas.ts';
import { type AnswerWork, readAnswerRules } from './answer-work.ts';
import { findAnnotation, showAnnotation } from './list-annotations.ts';
import { createAnswer } from './write-answer.ts';

/**
 * Makes the caller's answer to a case, or the caller's audit of the answer that counts: a draft, or a signed one.
 * @throws {Problem} those of {@link createAnswer} and {@link createAudit}, those of idempotency
 */
export async function createAnnotation(
  context: Context,
  actor: AccountActor,
  caseUuid: string,
  creation: AnnotationCreation,
): Promise<IdempotentOutcome<Annotation>> {
  const { db, audit, outbox, request } = context;
  const content = [caseUuid, canonicalJson(creation)];
  const key = idempotentRequest(context, actor, 'api/v1/backoffice/annotations/create', content);
  return await withIdempotencyKeyForResource(
    db,
    key,
    async (onDone) => {
      const rules = await readAnswerRules(context, actor.tenantId);
      const work = { audit, now: request.receivedAt, rules };
      const made = await inTenant(db, actor.tenantId, async (tx) => {
        const row = await create(tx, work, actor, caseUuid, creation);
        await onDone?.(tx, row.uuid);
        return await showAnnotation(tx, row);
      });
      if (creation.sign) outbox.kick();
      return made;
    },
    (uuid) => inTenant(db, actor.tenantId, (tx) => findAnnotation(tx, uuid)),
  );
}

async function create(
  tx: Tx,
  work: AnswerWork,
  actor: AccountActor,
  caseUuid: string,
  creation: AnnotationCreation,
) {
  const staff = await loadStaff(tx, actor);
  if (creation.kind === 'audit') {
    const { kind: _kind, sign, case_version: caseVersion, ...input } = creation;
    return await createAudit(tx, work, staff, { caseUuid, caseVersion, input, sign });
  }
  const { kind: _kind, sign, case_version: caseVersion, ...input } = creation;
  return await createAnswer(tx, work, staff, { caseUuid, caseVersion, input, sign });
}
