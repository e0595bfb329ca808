import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseRules } from '../record/case-rules.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { evaluateEligibility, isMendable, membershipIn } from '../record/evaluate-eligibility.ts';
import { gatherFacts } from './gather-facts.ts';

/**
 * The reasons of an earlier judgement after its patient has added something: those that the patient can mend as they are now,
 * the others as they were.
 */
export async function reasonsLeft(
  tx: Tx,
  record: CaseRecord,
  about: { rules: CaseRules; imageUrlHosts: readonly string[]; now: Date },
): Promise<string[]> {
  const before = record.eligibility_reasons;
  if (!before.some(isMendable)) return before;
  const facts = await gatherFacts(tx, record, { ...about, membership: membershipIn(before) });
  const { reasons } = evaluateEligibility(facts, about.rules.eligibility);
  return [...reasons.filter(isMendable), ...before.filter((reason) => !isMendable(reason))];
}
