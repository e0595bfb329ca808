import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { Submission } from '../admission/submit-case.ts';
import { insertPatientMessage } from '../record/message.queries.ts';
import { reopenCase } from '../queue/reopen-case.ts';
import { applyTransition } from '../record/apply-transition.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { cancelCase } from '../record/cancel-case.ts';
import { placeOf } from '../record/case-status.ts';
import { requirePatientAction } from '../record/patient-actions.ts';
import type { CaseAction } from './case-input.schemas.ts';
import { requireVersion } from '../record/own-case.ts';
import { type ReplyRules, submitOrReply } from './submit-or-reply.ts';

export interface Acting {
  context: Context;
  actor: AccountActor;
  /** Locked. */
  record: CaseRecord;
  rules: ReplyRules;
}

/** Does what the patient has asked for. @returns what is to be analysed after the commit. */
export async function act(tx: Tx, acting: Acting, input: CaseAction): Promise<Submission | undefined> {
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
