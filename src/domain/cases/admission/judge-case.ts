import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseRules } from '../record/case-rules.ts';
import type { CaseRecord } from '../record/apply-transition.ts';
import { checkMembership } from './check-membership.ts';
import { logCheck, readMembershipId, undeterminedSince } from './eligibility.queries.ts';
import { type Eligibility, evaluateEligibility, type Membership } from '../record/evaluate-eligibility.ts';
import { gatherFacts } from './gather-facts.ts';

/** How long a case waits for an eligibility service that cannot be reached; then a human sees it unverified. */
const retriedForMs = 60 * 60 * 1000;

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
  const { slug: tenant } = await tx
    .selectFrom('tenants')
    .select('slug')
    .where('id', '=', record.tenant_id)
    .executeTakeFirstOrThrow();
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
export async function judgeCase(
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
