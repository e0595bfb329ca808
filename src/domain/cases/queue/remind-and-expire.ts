import { systemActorOf } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { AppContext } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { readPatient } from '../../identity/patients/patient.queries.ts';
import { openAudit } from '../../platform/events/record-event.ts';
import { enterQueue } from '../admission/enter-queue.ts';
import { applyTransition } from '../record/apply-transition.ts';
import { type CaseRules, readCaseRules } from '../record/case-rules.ts';
import { hasReplied } from '../record/case-status.ts';
import { type CaseRecord, lockCase } from '../record/case.queries.ts';
import { type FoundCase, forEachCase } from '../record/for-each-case.ts';
import { holdEndsAt, holdLimitHours } from '../record/hold-limit.ts';
import { nextReminder } from '../record/next-reminder.ts';
import { withQuestionLeft } from '../record/question-left.ts';
import { type QueueRules, readQueueRules } from '../record/queue-rules.ts';
import { isUrgentCase } from '../record/urgent-case.ts';
import { findDueCases } from './due-cases.queries.ts';
import { resumeCase } from './return-to-queue.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** Cases of one tenant in one run, of each kind. */
const batch = 500;

const daysAfter = (at: Date, days: number) => new Date(at.getTime() + days * dayMs);
const hoursBefore = (now: Date, hours: number) => new Date(now.getTime() - hours * hourMs);
const daysBefore = (now: Date, days: number) => daysAfter(now, -days);

export type ExpiryWork = Pick<AppContext, 'db' | 'log' | 'clock' | 'memory'>;

/** What waits for its patient and what became of it: nothing, when the patient was quicker. */
type Outcome = 'expired' | 'queued' | 'reminded' | 'none';

export interface Expired extends Record<Exclude<Outcome, 'none'>, number> {
  failed: number;
}

/**
 * Expires drafts unchanged for 30 days, and cases that have waited for their patients for 14 days; marks
 * reminders on days 3 and 10 before. A case that is urgent by its flags or its level never expires: it goes to the
 * queue. So does a case that a physician has put on hold until now, or without a date for the time of {@link holdLimitHours}.
 * The parameters `retention/rules` and `notify/rules` have the days.
 */
export async function remindAndExpire(work: ExpiryWork, now: Date): Promise<Expired> {
  const total: Expired = { expired: 0, queued: 0, reminded: 0, failed: 0 };
  const { failed } = await forEachCase(
    work,
    async (tenantId) => {
      const { retention } = await readCaseRules(work, tenantId);
      return await inTenant(work.db, tenantId, (tx) => findDue(tx, tenantId, retention, now));
    },
    async (found) => {
      const rules = await readCaseRules(work, found.tenantId);
      const queue = await readQueueRules(work, found.tenantId);
      const at = { rules, queue, now };
      const outcome = await inTenant(work.db, found.tenantId, (tx) => expire(tx, found, at));
      if (outcome !== 'none') total[outcome] += 1;
    },
  );
  return { ...total, failed };
}

async function findDue(
  tx: Tx,
  tenantId: number,
  retention: CaseRules['retention'],
  now: Date,
): Promise<{ uuid: string }[]> {
  return await findDueCases(tx, tenantId, {
    draftsOf: daysBefore(now, retention.draft_days),
    heldSince: daysBefore(now, retention.pending_days),
    undatedSince: hoursBefore(now, holdLimitHours.other),
    urgentUndatedSince: hoursBefore(now, holdLimitHours.urgent),
    remindAt: now,
    limit: batch,
  });
}

/** Judges the case again under its lock: between the search and now its patient may have been here. */
async function expire(
  tx: Tx,
  { tenantId, caseUuid }: FoundCase,
  { rules, queue, now }: Omit<At, 'audit'> & { queue: QueueRules },
): Promise<Outcome> {
  const record = await lockCase(tx, caseUuid);
  if (record === undefined) return 'none';
  const { draft_days: draftDays, pending_days: pendingDays } = rules.retention;
  const request = { id: 'remindAndExpire', ipPrefix: undefined };
  const audit = openAudit(auditEvents.caseExpired, systemActorOf(tenantId), request);
  if (record.status === 'draft') {
    if (record.updated_at > daysBefore(now, draftDays)) return 'none';
    const due = dueSince(rules, daysAfter(record.updated_at, draftDays));
    await applyTransition(tx, { audit, now }, record, { transition: 'expire', due });
    return 'expired';
  }
  if (record.status === 'on_hold' && record.pending_status !== 'awaiting_patient') {
    if (holdEndsAt(record) > now) return 'none';
    const detail = { reason: record.remind_at === null ? 'no_remind_at' : 'remind_at' };
    await resumeCase(tx, { audit, now, rules: queue, sla: rules.sla }, record, { by: 'system', detail });
    return 'queued';
  }
  if (!waitsForPatient(record)) return 'none';
  if (record.held_at <= daysBefore(now, pendingDays)) return await giveUp(tx, { audit, now, rules }, record);
  if (record.remind_at === null || record.remind_at > now) return 'none';
  return await remind(tx, { audit, now, rules }, record, record.remind_at);
}

interface At {
  audit: ReturnType<typeof openAudit>;
  now: Date;
  rules: CaseRules;
}

/** A clinic that shortens the days ends many cases at once that were not due before; their patients learn of it. */
function dueSince({ retentionSince }: CaseRules, due: Date): Date {
  return retentionSince > due ? retentionSince : due;
}

type HeldCase = CaseRecord & { held_at: Date };

function waitsForPatient(record: CaseRecord): record is HeldCase {
  const { status, pending_status: pending, held_at: held } = record;
  return status === 'on_hold' && pending === 'awaiting_patient' && held !== null && !hasReplied(record);
}

async function giveUp(tx: Tx, { audit, now, rules }: At, record: HeldCase): Promise<Outcome> {
  if (isUrgentCase(record)) {
    const { pool } = await readPatient(tx, record.patient_id);
    const reasons = ['patient_silent'];
    const set = { eligibility_reasons: withQuestionLeft(record) };
    await enterQueue(tx, { audit, now, sla: rules.sla }, record, { pool, set, reasons });
    return 'queued';
  }
  await applyTransition(tx, { audit, now }, record, {
    transition: 'expire',
    due: dueSince(rules, daysAfter(record.held_at, rules.retention.pending_days)),
    set: { held_at: null, remind_at: null },
  });
  return 'expired';
}

/** Marks that the reminder is due; the next one, if there is one, counts from the beginning of the hold. */
async function remind(tx: Tx, { audit, now, rules }: At, record: HeldCase, due: Date): Promise<Outcome> {
  await applyTransition(tx, { audit, now }, record, {
    transition: 'remind',
    due,
    set: { remind_at: nextReminder(record.held_at, rules.reminderDays, now) },
  });
  return 'reminded';
}
