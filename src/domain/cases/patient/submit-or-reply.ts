import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { ParameterSource } from '../../platform/parameters/parameter.queries.ts';
import { flagCodes, flagColumns, withOwnRules } from '../record/case-flags.ts';
import { recordEmergency } from '../record/announce-danger.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { settleAge } from '../admission/settle-age.ts';
import { type Consent, type Submission, submitCase } from '../admission/submit-case.ts';
import { type CaseRules, readCaseRules } from '../record/case-rules.ts';
import { withoutQuestion, withQuestionLeft } from '../record/question-left.ts';
import { reasonsLeft } from '../admission/reasons-left.ts';
import { dueFrom, rankOf } from '../record/due-time.ts';
import { homeLane, reservedLane, reservedUntil } from '../record/lane.ts';
import { type QueueRules, readQueueRules } from '../record/queue-rules.ts';
import { isAtWork } from '../queue/physician-at-work.queries.ts';
import { applyTransition } from '../record/apply-transition.ts';
import { placeOf } from '../record/case-status.ts';
import { stateConflict } from '../record/state-conflict.ts';
import { currentConsent } from './current-consent.ts';
import { requireReply } from './require-reply.ts';

export interface ReplyRules {
  consent: Consent;
  /** How long a case waits for the physician who asked, before it is any physician's. */
  queue: QueueRules;
  /** How soon a case is to be answered, and what it needs, to see what a reply has left open. */
  cases: CaseRules;
}

/**
 * Read before the transaction of the request.
 * @param given the consent that comes with the request.
 * @throws {Problem} `consent_outdated`
 */
export async function readReplyRules(
  source: ParameterSource,
  tenantId: number,
  given: { version: string } | undefined,
): Promise<ReplyRules> {
  const consent = await currentConsent(source, tenantId, given);
  const queue = await readQueueRules(source, tenantId);
  return { consent, queue, cases: await readCaseRules(source, tenantId) };
}

/**
 * Takes a case on from its patient: submits a draft (T03), or ends a hold for the patient (T16). Where a physician has
 * asked, it goes back to that physician; where the service has, it is analysed and judged again.
 *
 * @param record locked.
 * @param isReplied false where the patient has not submitted: what the physician has asked can still be sent.
 * @returns what is to be analysed after the commit.
 * @throws {Problem} `case_state_conflict`, `consent_outdated`, `age_mismatch`, `case_incomplete`, `message_required`
 */
export async function submitOrReply(
  tx: Tx,
  context: Pick<Context, 'audit' | 'config' | 'request'>,
  actor: Pick<AccountActor, 'id'>,
  record: CaseRecord,
  rules: ReplyRules,
  { isReplied }: { isReplied: boolean } = { isReplied: true },
): Promise<Submission | undefined> {
  const place = placeOf(record);
  const isReply = place === 'on_hold/awaiting_patient';
  if (place !== 'draft' && !isReply) throw stateConflict(record, 'account');
  if (!isReply || record.queued_at === null)
    return await submitCase(tx, context, actor, record, rules.consent);
  if (isReplied) await requireReply(tx, record);
  await backToPhysician(tx, context, record, { ...rules, isReplied });
  return undefined;
}

/**
 * Our own rules judge what the reply has changed. The time on hold does not count towards the time within which the case is to
 * be answered. A case that has become more urgent waits for no single physician, and no case for one who is away.
 */
async function backToPhysician(
  tx: Tx,
  { audit, config, request: { receivedAt: now } }: Pick<Context, 'audit' | 'config' | 'request'>,
  record: CaseRecord,
  { queue, cases: rules, isReplied }: ReplyRules & { isReplied: boolean },
): Promise<void> {
  const { anamnesis, revision } = await settleAge(tx, record, now);
  const flags = withOwnRules(record, anamnesis);
  const level = flags.triageLevel ?? 'routine';
  const isMoreUrgent = rankOf(level) < (record.triage_rank ?? rankOf('routine'));
  const { assigned_physician_id: last } = record;
  const isReserved = !isMoreUrgent && last !== null && (await isAtWork(tx, last));
  const lane = isReserved ? reservedLane(last, reservedUntil(queue, rankOf(level), now)) : homeLane(record);
  const about = { rules, imageUrlHosts: config.IMAGE_URL_HOSTS, now };
  const reasons = await reasonsLeft(tx, record, about);
  const replied = await applyTransition(tx, { audit, now }, record, {
    transition: 'reply',
    to: 'queued',
    by: 'account',
    set: {
      ...lane,
      queued_at: now,
      anamnesis_revision: revision,
      ...flagColumns({ ...flags, triageLevel: level }),
      eligibility_reasons: isReplied ? withoutQuestion(reasons) : withQuestionLeft(record, reasons),
      due_at: dueFrom(record, level, { now, sla: rules.sla }),
      held_at: null,
      remind_at: null,
      status_reason: null,
    },
    detail: { reserved: isReserved, urgency: flags.urgency, flags: flagCodes(flags.redFlags) },
  });
  await recordEmergency(tx, audit, record, replied);
}
