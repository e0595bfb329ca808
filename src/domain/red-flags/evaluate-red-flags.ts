import type { PartialAnamnesis } from '../anamnesis/anamnesis.ts';
import type { RedFlagUrgency } from '../anamnesis/enums/assessment.ts';
import type { Language } from '../anamnesis/enums/patient.ts';
import { type Findings, findingsOf } from './findings.ts';
import { type Flag, flagText } from './flag-text.ts';
import { compareUrgency, type FlagDetail, highestUrgency, type RedFlags } from './red-flags.ts';

export interface RedFlagRule {
  /** `RF01` to `RF33`. */
  id: string;
  flag: Flag;
  urgency: RedFlagUrgency;
  /** Where the rule comes from. */
  source: string;
  holds(findings: Findings): boolean;
  /** A rule that holds is this urgent when this holds, too. */
  worse?: { urgency: RedFlagUrgency; when(findings: Findings): boolean };
  /** Speaks only when no other rule finds an emergency. */
  unlessEmergency?: true;
}

/**
 * The red flags of an anamnesis, complete or not, the most urgent first, with texts in `language`.
 * No flag means that no rule holds; it does not mean that all is well.
 */
export function evaluateRedFlags(
  anamnesis: PartialAnamnesis,
  rules: readonly RedFlagRule[],
  language: Language = anamnesis.language ?? 'en',
): RedFlags & { flagDetails: FlagDetail[] } {
  const findings = findingsOf(anamnesis);
  const holding = rules
    .filter((rule) => rule.holds(findings))
    .map((rule) => ({ rule, urgency: urgencyOf(rule, findings) }))
    .toSorted((a, b) => compareUrgency(b.urgency, a.urgency));
  const isEmergency = holding.some(({ rule, urgency }) => urgency === 'emergency' && !rule.unlessEmergency);
  const speaking = holding.filter(({ rule }) => !(isEmergency && rule.unlessEmergency));
  return {
    hasRedFlags: speaking.length > 0,
    flags: speaking.map(({ rule }) => rule.flag),
    urgency: highestUrgency(speaking.map(({ urgency }) => urgency)),
    flagDetails: speaking.map(({ rule, urgency }) => ({
      code: rule.flag,
      text: flagText(rule.flag, language),
      urgency,
    })),
  };
}

function urgencyOf({ urgency, worse }: RedFlagRule, findings: Findings): RedFlagUrgency {
  return worse?.when(findings) ? worse.urgency : urgency;
}
