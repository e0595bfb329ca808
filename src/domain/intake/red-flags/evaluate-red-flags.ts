import type { PartialAnamnesis } from '../anamnesis/anamnesis.ts';
import type { Language } from '../../../contract/language.ts';
import { type AnswerField, met } from './answer-logic.ts';
import { flagText, notExcludedText } from './flag-text.ts';
import type { RedFlagRule } from './rules/red-flag-rule.ts';
import { redFlagRules } from './rules/red-flag-rules.ts';
import {
  compareUrgency,
  type FlagDetail,
  highestUrgency,
  type RedFlags,
  type RedFlagUrgency,
} from './red-flags.schemas.ts';

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

/** One step lower. What is not excluded and of less than high urgency is no flag. */
const whenNotExcluded: Readonly<Partial<Record<RedFlagUrgency, RedFlagUrgency>>> = {
  emergency: 'high',
  high: 'medium',
};

/**
 * The red flags of an anamnesis, complete or not, the most urgent first, with texts in `language`. A rule that open
 * answers keep from being excluded raises its flag one step lower, with the certainty `not_excluded`.
 * No flag means that no rule speaks; it does not mean that all is well.
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
  const flagDetails = [...Map.groupBy(details, ({ code }) => code).values()].flatMap(
    ([worst]) => worst ?? [],
  );
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
  const lowered = whenNotExcluded[urgency];
  if (verdict !== 'not_excluded' || lowered === undefined) return [];
  const text = notExcludedText(code, openFields, language);
  return [{ code, text, urgency: lowered, certainty: 'not_excluded' }];
}

/** The most urgent first; of two that are equally urgent the one that is met. */
function bySeverity(a: FlagDetail, b: FlagDetail): number {
  const isMet = ({ certainty }: FlagDetail) => (certainty === 'met' ? 1 : 0);
  return compareUrgency(b.urgency, a.urgency) || isMet(b) - isMet(a);
}
