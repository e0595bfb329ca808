import type { PartialAnamnesis } from '../anamnesis/anamnesis.schemas.ts';
import type { Language } from '../../../contract/language.ts';
import { type AnswerField, met } from './answer-logic.ts';
import { flagText, notExcludedText } from './flag-text.ts';
import type { RedFlagRule } from './rules/red-flag-rule.ts';
import { redFlagRules } from './rules/red-flag-rules.ts';
import {
  bySeverity,
  type FlagDetail,
  highestUrgency,
  oncePerFlag,
  type RedFlags,
  type RedFlagUrgency,
} from './red-flags.schemas.ts';

/**
 * `met`: the answers meet the rule. `not_excluded`: its key finding is present, and only open answers prevent its
 * exclusion. `undecided`: its key finding is open. `excluded`: an answer contradicts it.
 */
export type Verdict = 'met' | 'not_excluded' | 'undecided' | 'excluded';

export interface RuleVerdict {
  rule: RedFlagRule;
  verdict: Verdict;
  /** Fields to ask for next, those of the key finding first, which excludes most. Empty when the rule is decided. */
  openFields: readonly AnswerField[];
}

/** The verdict on each rule from answers that may be incomplete. */
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

/**
 * Whether our own rules find an emergency. As nothing is more urgent, the AI service can only add to it: the patient is not
 * kept waiting for a service that is away or slow.
 */
export const isEmergency = (anamnesis: PartialAnamnesis): boolean =>
  evaluateRules(anamnesis).some(({ rule, verdict }) => verdict === 'met' && rule.urgency === 'emergency');

/** One step less urgent. A rule below high urgency that is not excluded raises no flag. */
const whenNotExcluded: Readonly<Partial<Record<RedFlagUrgency, RedFlagUrgency>>> = {
  emergency: 'high',
  high: 'medium',
};

/**
 * The red flags of an anamnesis, complete or not, the most urgent first, with texts in `language`. A rule that cannot be
 * excluded because answers are open raises its flag one step less urgent, with the certainty `not_excluded`.
 * No flag means that no rule applies; it is not an all-clear.
 */
export function evaluateRedFlags(
  anamnesis: PartialAnamnesis,
  rules: readonly RedFlagRule[] = redFlagRules,
  language: Language = anamnesis.language ?? 'en',
): RedFlags & { flagDetails: FlagDetail[] } {
  const verdicts = evaluateRules(anamnesis, rules);
  const isEmergencyMet = verdicts.some(
    ({ rule, verdict }) => verdict === 'met' && rule.urgency === 'emergency' && !rule.unlessOtherEmergency,
  );
  const details = verdicts
    .filter(({ rule }) => !(isEmergencyMet && rule.unlessOtherEmergency))
    .flatMap((verdict) => detailOf(verdict, language))
    .toSorted(bySeverity);
  const flagDetails = oncePerFlag(details);
  return {
    hasRedFlags: flagDetails.length > 0,
    flags: flagDetails.map(({ code }) => code),
    urgency: highestUrgency(flagDetails.map(({ urgency }) => urgency)),
    flagDetails,
  };
}

function detailOf({ rule, verdict, openFields }: RuleVerdict, language: Language): FlagDetail[] {
  const { flag: code, urgency } = rule;
  if (verdict === 'met') return [{ code, text: flagText(code, language), urgency, certainty: 'met' }];
  const reduced = whenNotExcluded[urgency];
  if (verdict !== 'not_excluded' || reduced === undefined) return [];
  const text = notExcludedText(code, openFields, language);
  return [{ code, text, urgency: reduced, certainty: 'not_excluded' }];
}
