import { createHash } from 'node:crypto';
import type { Parameters } from '../../platform/parameters/parameter-schemas.ts';

/**
 * Whether an auditor is to read a published answer: each to a case with a flag of certain urgencies, each that contradicts
 * the danger of its case, each that disagrees with the AI service, and a share of the others. The share is drawn by the UUID of the case, so that a second draw
 * gets the same.
 */
export function isAudited(
  rules: Parameters<'audit/rules'>,
  {
    caseUuid,
    urgency,
    aiAgreement,
    isExempt,
    isContradicting,
  }: {
    caseUuid: string;
    /** Of the most urgent flag of the case. */
    urgency: string | null;
    aiAgreement: string | null;
    /** Whether the sample leaves the author out. */
    isExempt: boolean;
    /** Whether it was signed with reasons for what contradicts the danger. */
    isContradicting: boolean;
  },
): boolean {
  if (isContradicting) return true;
  if (urgency !== null && rules.always_urgencies.includes(urgency)) return true;
  if (rules.always_on_disagreement && aiAgreement === 'disagree') return true;
  return !isExempt && percentileOf(caseUuid) < rules.sample_percent;
}

/** Between 0 and 100, evenly over all cases. */
function percentileOf(uuid: string): number {
  return (createHash('sha256').update(uuid).digest().readUInt32BE() / 2 ** 32) * 100;
}
