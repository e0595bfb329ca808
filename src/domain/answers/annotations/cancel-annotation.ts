import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { cancelAudit } from '../audits/cancel-audit.ts';
import type { Annotation } from './annotation.schemas.ts';
import type { AnnotationCancellation } from './annotation-input.schemas.ts';
import { readAnswerRules } from './answer-work.ts';
import { cancelAnswer } from './cancel-answer.ts';
import { showAnnotation } from './list-annotations.ts';

/**
 * Takes an annotation back: a draft, an answer that its patient cannot read yet, or one that was published in error.
 * @param version of the annotation, as the client has read it.
 * @throws {Problem} those of {@link cancelAnswer} and {@link cancelAudit}
 */
export async function cancelAnnotation(
  context: Context,
  actor: AccountActor,
  caseUuid: string,
  { kind, reason }: AnnotationCancellation,
  version: number,
): Promise<Annotation> {
  const { db, audit, outbox, request } = context;
  const rules = await readAnswerRules(context, actor.tenantId);
  const sla = await readParameters(context, actor.tenantId, 'queue/sla_hours');
  const work = { audit, now: request.receivedAt, rules, sla, requestId: request.id };
  const cancelled = await inTenant(db, actor.tenantId, async (tx: Tx) => {
    const staff = await loadStaff(tx, actor);
    const cancel = kind === 'audit' ? cancelAudit : cancelAnswer;
    return await showAnnotation(tx, await cancel(tx, work, staff, { caseUuid, reason, version }));
  });
  outbox.kick();
  return cancelled;
}
