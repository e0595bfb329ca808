import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { readCaseRules } from '../record/case-rules.ts';
import { type CaseRecord, lockCase } from '../record/apply-transition.ts';
import { askMembership, judgeCase, readMembershipQuestion } from './judge-case.ts';
import { moveJudged } from './move-judged.ts';

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
 * whose membership cannot be determined, or whose patient is corrected meanwhile, stays where it is, to be judged again. Does nothing for a case that is already
 * judged.
 */
export async function checkEligibility(context: EligibilityContext, ref: CaseRef): Promise<void> {
  const { db, config, request, clock, audit } = context;
  const question = await inTenant(db, ref.tenantId, async (tx) => {
    const record = await lockCase(tx, ref.caseUuid);
    if (record === undefined || !awaitsJudgement(record)) return undefined;
    return { ...(await readMembershipQuestion(tx, record)), patientId: record.patient_id };
  });
  if (question === undefined) return;
  const rules = await readCaseRules(context, ref.tenantId);
  const answer = await askMembership(context, rules, question);
  await inTenant(db, ref.tenantId, async (tx) => {
    const record = await lockCase(tx, ref.caseUuid);
    if (record === undefined || !awaitsJudgement(record)) return;
    // Corrected meanwhile: the answer is about another patient, and the timer asks about this one.
    if (record.patient_id !== question.patientId) return;
    const now = clock.now();
    const judged = await judgeCase(tx, { config, requestId: request.id, rules, now }, record, answer);
    await moveJudged(tx, { audit, now, rules }, record, judged);
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
