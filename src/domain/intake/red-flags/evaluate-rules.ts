import type { PartialAnamnesis } from '../anamnesis/anamnesis.ts';
import type { AnswerField } from './answer-fields.ts';
import type { RedFlagRule } from './red-flag-rule.ts';
import { redFlagRules } from './red-flag-rules.ts';
import { met } from './truth.ts';

/**
 * `met`: the answers meet the rule. `not_excluded`: its key finding is there, and only open answers stand against it.
 * `undecided`: open answers alone. `excluded`: an answer speaks against it.
 */
export type Verdict = 'met' | 'not_excluded' | 'undecided' | 'excluded';

export interface RuleVerdict {
  rule: RedFlagRule;
  verdict: Verdict;
  /** What to ask for next: the key finding first, as it excludes most. Empty when the rule is decided. */
  openFields: readonly AnswerField[];
}

/** What the answers, complete or not, say about each rule. */
export function evaluateRules(
  anamnesis: PartialAnamnesis,
  rules: readonly RedFlagRule[] = redFlagRules,
): RuleVerdict[] {
  return rules.map((rule) => {
    const key = rule.key(anamnesis);
    const rest = key.value === false ? key : (rule.when?.(anamnesis) ?? met);
    if (rest.value === false) return { rule, verdict: 'excluded', openFields: [] };
    if (key.value === undefined) return { rule, verdict: 'undecided', openFields: key.openFields };
    return { rule, verdict: rest.value === true ? 'met' : 'not_excluded', openFields: rest.openFields };
  });
}
