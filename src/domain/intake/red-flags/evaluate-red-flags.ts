import type { PartialAnamnesis } from '../anamnesis/anamnesis.ts';
import type { RedFlagUrgency } from '../anamnesis/enums/assessment.ts';
import type { Language } from '../../../contract/language.ts';
import { evaluateRules, type RuleVerdict } from './evaluate-rules.ts';
import { flagText, notExcludedText } from './flag-text.ts';
import type { RedFlagRule } from './red-flag-rule.ts';
import { redFlagRules } from './red-flag-rules.ts';
import { compareUrgency, type FlagDetail, highestUrgency, type RedFlags } from './red-flags.ts';

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
