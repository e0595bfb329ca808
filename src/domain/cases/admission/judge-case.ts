import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { type CaseRules, readCaseRules } from '../record/case-rules.ts';
import { type CaseRecord, lockCase } from '../record/case.queries.ts';
import { type Eligibility, evaluateEligibility, type Membership } from '../record/evaluate-eligibility.ts';
import { checkMembership } from './check-membership.ts';
import { findTenantSlug, logCheck, readMembershipId, undeterminedSince } from './eligibility.queries.ts';
import { gatherFacts } from './gather-facts.ts';
import { moveJudged } from './move-judged.ts';

/** How long a case waits for an eligibility service that cannot be reached; then a human sees it unverified. */
const retriedForMs = 60 * 60 * 1000;

export type JudgeContext = Pick<
  Context,
  'db' | 'members' | 'audit' | 'config' | 'request' | 'clock' | 'log' | 'memory'
>;

interface CaseRef {
  tenantId: number;
  caseUuid: string;
}

/**
 * Judges a case whose analysis has ended and moves it: back to the patient (T06), out (T07), or on to the last step,
 * `enterQueue` (T05). A case whose membership cannot be determined, or whose patient is corrected meanwhile, stays where it
 * is, to be judged again. Does nothing for a case that is already judged.
 */
export async function judgeCase(context: JudgeContext, ref: CaseRef): Promise<void> {
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
    const judged = await judgeEligibility(tx, { config, requestId: request.id, rules, now }, record, answer);
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

/** Whom the eligibility service is asked about. */
export interface MembershipQuestion {
  externalId: string | null;
  tenant: string;
}

export async function readMembershipQuestion(
  tx: Tx,
  record: Pick<CaseRecord, 'tenant_id' | 'patient_id'>,
): Promise<MembershipQuestion> {
  const externalId = await readMembershipId(tx, record.patient_id);
  const tenant = await findTenantSlug(tx, record.tenant_id);
  return { externalId, tenant };
}

/** What was found out about the membership, and how long that took. */
export interface MembershipAnswer {
  membership: Membership;
  latencyMs: number;
}

/** Outside of any transaction: a slow service must not hold one open. */
export async function askMembership(
  context: Pick<Context, 'members' | 'request'>,
  rules: CaseRules,
  question: MembershipQuestion,
): Promise<MembershipAnswer> {
  const started = performance.now();
  const membership = await checkMembership(context, rules.eligibility, question);
  return { membership, latencyMs: performance.now() - started };
}

export interface Judging {
  config: Context['config'];
  requestId: string;
  rules: CaseRules;
  now: Date;
}

/**
 * Judges a case by the rules of its tenant; each judgement is a row of `user_check_logs`.
 * @param record locked.
 */
export async function judgeEligibility(
  tx: Tx,
  { config, requestId, rules, now }: Judging,
  record: CaseRecord,
  { membership, latencyMs }: MembershipAnswer,
): Promise<Eligibility> {
  const imageUrlHosts = config.IMAGE_URL_HOSTS;
  const facts = await gatherFacts(tx, record, { rules, membership, imageUrlHosts, now });
  const judged = await orUnverified(tx, record, evaluateEligibility(facts, rules.eligibility), now);
  await logCheck(tx, record, {
    ...judged,
    ruleVersion: rules.eligibility.version,
    source: rules.eligibility.membership,
    latencyMs,
    requestId,
    now,
  });
  return judged;
}

/** A service that has been away for an hour keeps no patient waiting any longer. What was judged before stays as it was. */
async function orUnverified(
  tx: Tx,
  record: CaseRecord,
  judged: Eligibility,
  now: Date,
): Promise<Eligibility> {
  if (judged.outcome !== 'undetermined' || isSettled(record)) return judged;
  const since = await undeterminedSince(tx, record);
  if (since === undefined || now.getTime() - since.getTime() < retriedForMs) return judged;
  return { outcome: 'eligible', reasons: [...judged.reasons, 'eligibility_unverified'] };
}

/** In the queue, or refused: a check that comes to no result changes nothing about it. */
export const isSettled = ({ status }: Pick<CaseRecord, 'status'>): boolean =>
  status === 'queued' || status === 'ineligible';
