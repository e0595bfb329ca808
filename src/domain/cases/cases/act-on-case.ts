import type { AccountActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Context } from '../../../lib/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { isUrgent } from '../../intake/red-flags/red-flags.schemas.ts';
import { flagCodes } from '../analysis/case-flags.ts';
import type { Submission } from '../analysis/submit-case.ts';
import { insertPatientMessage } from '../messages/message.queries.ts';
import { applyTransition, type CaseRecord } from '../state/apply-transition.ts';
import { placeOf } from '../state/case-status.ts';
import { requireAllowed } from '../state/state-conflict.ts';
import type { CaseAction } from './case-input.schemas.ts';
import { requireVersion } from './own-case.ts';
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
  const isReply = input.action === 'submit' && placeOf(record) === 'on_hold/awaiting_patient';
  const action = isReply ? 'reply' : input.action;
  requireAllowed(record, action, 'account');
  requireVersion(record, input.version);
  const now = context.request.receivedAt;
  if (input.message !== undefined) {
    const { language } = context.request;
    await insertPatientMessage(tx, record, { text: input.message, language, authorId: actor.id }, now);
  }
  if (action === 'submit' || action === 'reply') return await submitOrReply(tx, context, record, rules);
  if (action === 'cancel') await cancel(tx, acting, input.reason);
  else {
    const at = { audit: context.audit, now };
    const set = { read_at: record.read_at ?? now };
    await applyTransition(tx, at, record, { transition: 'acknowledge', by: 'account', set });
  }
  return undefined;
}

/** A lease ends with it. A patient who cancels a case with an urgent flag should be asked why. */
async function cancel(tx: Tx, { context, record }: Acting, reason: string | undefined): Promise<void> {
  const { audit, request } = context;
  await applyTransition(tx, { audit, now: request.receivedAt }, record, {
    transition: 'cancel',
    by: 'account',
    set: { status_reason: reason ?? null, lease_expires_at: null, held_at: null, remind_at: null },
    detail: { urgency: record.urgency },
  });
  if (!isUrgent(record.urgency)) return;
  await audit.as(auditEvents.caseCancelledWithRedFlag).succeeded(tx, {
    subject: { kind: 'case', uuid: record.uuid },
    caseUuid: record.uuid,
    patientId: record.patient_id,
    detail: { urgency: record.urgency, flags: flagCodes(record.red_flags) },
  });
}
