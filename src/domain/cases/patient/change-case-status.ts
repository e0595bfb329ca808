import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import {
  type IdempotentOutcome,
  idempotentRequest,
  withIdempotencyKeyForResource,
} from '../../../lib/idempotency/idempotency.ts';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import { analyseNow } from '../admission/analyse-now.ts';
import type { Submission } from '../admission/submit-case.ts';
import { reopenCase } from '../queue/reopen-case.ts';
import { applyTransition } from '../record/apply-transition.ts';
import { cancelCase } from '../record/cancel-case.ts';
import { placeOf } from '../record/case-status.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { insertPatientMessage } from '../record/message.queries.ts';
import type { MobileCase } from '../record/mobile-case.schemas.ts';
import { lockOwnCase, requireVersion } from '../record/own-case.ts';
import { requirePatientAction } from '../record/patient-actions.ts';
import type { CaseAction } from './case-input.schemas.ts';
import { readMobileCase } from './read-case.ts';
import { readReplyRules, type ReplyRules, submitOrReply } from './submit-or-reply.ts';

/**
 * What the patient does with a case besides editing it. `submit` on a case with `action_needed` is the reply; `reply` to an
 * answer opens the case again, once. With a version it is refused where the case has changed since.
 *
 * @throws {Problem} `case_not_found`, `case_state_conflict`, `version_conflict`, `consent_outdated`, `age_mismatch`,
 *   `case_incomplete`, `message_required`, those of idempotency
 */
export async function changeCaseStatus(
  context: Context,
  actor: AccountActor,
  uuid: string,
  input: CaseAction,
): Promise<IdempotentOutcome<MobileCase>> {
  const { db, outbox } = context;
  const key = idempotentRequest(context, actor, 'api/v1/mobile/cases/status', [uuid, canonicalJson(input)]);
  return await withIdempotencyKeyForResource(
    db,
    key,
    async (onDone) => {
      const consent = 'consent' in input ? input.consent : undefined;
      const rules = await readReplyRules(context, actor.tenantId, consent);
      const submission = await inTenant(db, actor.tenantId, async (tx) => {
        const record = await lockOwnCase(tx, actor, uuid);
        const acted = await act(tx, { context, actor, record, rules }, input);
        await onDone?.(tx, record.uuid);
        return acted;
      });
      // News for those who are on call waits neither for the analysis nor for the timer.
      outbox.kick();
      if (submission !== undefined) await analyseNow(context, actor, submission);
      return await readMobileCase(context, actor, uuid);
    },
    (found) => readMobileCase(context, actor, found),
  );
}

interface Acting {
  context: Context;
  actor: AccountActor;
  /** Locked. */
  record: CaseRecord;
  rules: ReplyRules;
}

/** Does what the patient has asked for. @returns what is to be analysed after the commit. */
async function act(tx: Tx, acting: Acting, input: CaseAction): Promise<Submission | undefined> {
  const { context, actor, record, rules } = acting;
  const now = context.request.receivedAt;
  const isReply = input.action === 'submit' && placeOf(record) === 'on_hold/awaiting_patient';
  const action = isReply ? 'reply' : input.action;
  requirePatientAction(record, action, now);
  requireVersion(record, input.version);
  const at = { audit: context.audit, now };
  if (input.action === 'cancel') {
    await cancelCase(tx, at, record, { by: 'account', reason: input.reason });
    return undefined;
  }
  if (input.action === 'acknowledge') {
    // Again, by another device or a retry, it changes nothing: a new version would refuse what a physician writes at that moment.
    if (record.read_at === null)
      await applyTransition(tx, at, record, {
        transition: 'acknowledge',
        by: 'account',
        set: { read_at: now },
      });
    return undefined;
  }
  const asksAgain = action === 'reply' && record.status === 'closed';
  if (asksAgain && input.message === undefined) throw new Problem('message_required');
  if (input.message !== undefined) {
    const { language } = context.request;
    await insertPatientMessage(tx, record, { text: input.message, language, authorId: actor.id }, now);
  }
  if (!asksAgain) return await submitOrReply(tx, context, actor, record, rules);
  await reopenCase(tx, { ...at, rules: rules.queue, sla: rules.cases.sla }, record, {
    by: 'account',
    reason: 'patient_question',
    requestId: context.request.id,
  });
  return undefined;
}
