import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { updateAudit } from '../audits/write-audit.ts';
import type { Annotation } from './annotation.schemas.ts';
import type { AnnotationChange } from './annotation-input.schemas.ts';
import { type AnswerWork, readAnswerRules } from './answer-work.ts';
import { showAnnotation } from './list-annotations.ts';
import { updateAnswer } from './write-answer.ts';

/**
 * Saves, signs or amends the caller's annotation of a case.
 * @param version of the annotation, as the client has read it.
 * @throws {Problem} those of {@link updateAnswer} and {@link updateAudit}
 */
export async function updateAnnotation(
  context: Context,
  actor: AccountActor,
  caseUuid: string,
  change: AnnotationChange,
  version: number,
): Promise<Annotation> {
  const { db, audit, outbox, request } = context;
  const rules = await readAnswerRules(context, actor.tenantId);
  const work = { audit, now: request.receivedAt, rules };
  const changed = await inTenant(db, actor.tenantId, async (tx) =>
    showAnnotation(tx, await update(tx, work, actor, { caseUuid, change, version })),
  );
  if (change.sign) outbox.kick();
  return changed;
}

async function update(
  tx: Tx,
  work: AnswerWork,
  actor: AccountActor,
  { caseUuid, change, version }: { caseUuid: string; change: AnnotationChange; version: number },
) {
  const staff = await loadStaff(tx, actor);
  if (change.kind === 'audit') {
    const { kind: _kind, version: _version, sign, case_version: caseVersion, ...input } = change;
    return await updateAudit(tx, work, staff, { caseUuid, caseVersion, version, input, sign });
  }
  const {
    kind: _kind,
    version: _version,
    sign,
    case_version: caseVersion,
    amend_reason: amendReason,
    ...input
  } = change;
  return await updateAnswer(tx, work, staff, { caseUuid, caseVersion, version, input, sign, amendReason });
}
