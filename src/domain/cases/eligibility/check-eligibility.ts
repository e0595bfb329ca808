import type { Context } from '../../../lib/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { type CaseRules, readCaseRules } from '../case-rules.ts';
import { insertRequestToPatient } from '../messages/message.queries.ts';
import { readPatient } from '../patients/patient.queries.ts';
import { nextReminder } from '../expiry/next-reminder.ts';
import { enterQueue } from '../queue/enter-queue.ts';
import { applyTransition, type CaseRecord, lockCase } from '../state/apply-transition.ts';
import { checkMembership } from './check-membership.ts';
import { logCheck, readMembershipId, undeterminedSince } from './eligibility.queries.ts';
import { codesOf, type Eligibility, evaluateEligibility, requestsToPatient } from './evaluate-eligibility.ts';
import { gatherFacts } from './gather-facts.ts';

/** How long a case waits for an eligibility service that cannot be reached; then a human sees it unverified. */
const retriedForMs = 60 * 60 * 1000;

export type EligibilityContext = Pick<
  Context,
  'db' | 'members' | 'audit' | 'config' | 'request' | 'clock' | 'log'
>;

interface CaseRef {
  tenantId: number;
  caseUuid: string;
}

/**
 * Judges a case whose analysis has ended and moves it: into the queue (T05), back to the patient (T06) or out (T07). A case
 * whose membership cannot be determined stays where it is, to be judged again. Each judgement is a row of
 * `user_check_logs`. Does nothing for a case that is already judged.
 */
export async function checkEligibility(context: EligibilityContext, ref: CaseRef): Promise<void> {
  const { db, config, request, clock, audit } = context;
  const asked = await inTenant(db, ref.tenantId, async (tx) => {
    const record = await lockCase(tx, ref.caseUuid);
    if (record === undefined || !awaitsJudgement(record)) return undefined;
    const externalId = await readMembershipId(tx, record.patient_id);
    const { slug: tenant } = await tx
      .selectFrom('tenants')
      .select('slug')
      .where('id', '=', ref.tenantId)
      .executeTakeFirstOrThrow();
    return { externalId, tenant };
  });
  if (asked === undefined) return;
  const rules = await readCaseRules(context, ref.tenantId);
  const started = performance.now();
  // Outside of any transaction: a slow service must not hold one open.
  const membership = await checkMembership(context, rules.eligibility, asked);
  const latencyMs = performance.now() - started;
  await inTenant(db, ref.tenantId, async (tx) => {
    const record = await lockCase(tx, ref.caseUuid);
    if (record === undefined || !awaitsJudgement(record)) return;
    const now = clock.now();
    const limits = rules.eligibility;
    const imageUrlHosts = config.IMAGE_URL_HOSTS;
    const facts = await gatherFacts(tx, record, { rules, membership, imageUrlHosts, now });
    const judged = await orUnverified(tx, record, evaluateEligibility(facts, limits), now);
    await logCheck(tx, record, {
      ...judged,
      ruleVersion: limits.version,
      source: limits.membership,
      latencyMs,
      requestId: request.id,
      now,
    });
    await move(tx, { audit, now, rules }, record, judged);
  });
}

/** Whether the case is yet to be judged: since it was submitted, or since its patient replied. */
function awaitsJudgement({
  status,
  analysis_state: state,
  eligibility_outcome: outcome,
}: CaseRecord): boolean {
  const isAnalysed = state === 'done' || state === 'degraded';
  return isAnalysed && (status === 'submitted' || (status === 'on_hold' && isOpen(outcome)));
}

const isOpen = (outcome: string | null) => outcome === null || outcome === 'undetermined';

/** A service that has been away for an hour keeps no patient waiting any longer. */
async function orUnverified(
  tx: Tx,
  record: CaseRecord,
  judged: Eligibility,
  now: Date,
): Promise<Eligibility> {
  if (judged.outcome !== 'undetermined') return judged;
  const since = await undeterminedSince(tx, record);
  if (since === undefined || now.getTime() - since.getTime() < retriedForMs) return judged;
  return { outcome: 'eligible', reasons: [...judged.reasons, 'eligibility_unverified'] };
}

async function move(
  tx: Tx,
  { audit, now, rules }: { audit: Context['audit']; now: Date; rules: CaseRules },
  record: CaseRecord,
  { outcome, reasons }: Eligibility,
): Promise<void> {
  const set = { eligibility_outcome: outcome, eligibility_reasons: reasons, eligibility_checked_at: now };
  const asked = requestsToPatient(reasons);
  switch (outcome) {
    case 'eligible': {
      const { pool } = await readPatient(tx, record.patient_id);
      await enterQueue(tx, { audit, now, sla: rules.sla }, record, {
        pool,
        set,
        reasons: codesOf(reasons),
      });
      // Nothing holds an urgent case back; what is missing is asked for while it waits.
      if (asked.length > 0) await insertRequestToPatient(tx, record, asked, now);
      return;
    }
    case 'needs_patient': {
      await applyTransition(tx, { audit, now }, record, {
        transition: 'ask_patient',
        set: {
          ...set,
          held_at: now,
          remind_at: nextReminder(now, rules.reminderDays, now),
          status_reason: asked[0] ?? null,
        },
        detail: { reasons: codesOf(reasons) },
      });
      await insertRequestToPatient(tx, record, asked, now);
      return;
    }
    case 'ineligible':
      await applyTransition(tx, { audit, now }, record, {
        transition: 'refuse',
        set: { ...set, held_at: null, remind_at: null },
        detail: { reasons: codesOf(reasons) },
      });
      return;
    case 'undetermined':
      await tx.updateTable('request_records').set(set).where('uuid', '=', record.uuid).execute();
  }
}
